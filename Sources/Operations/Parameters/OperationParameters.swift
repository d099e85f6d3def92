package import ChatModel
package import Options
import Rendering

/// The parameters of one call of an operation, each checked against its description.
package struct OperationParameters: Sendable {
    private let values: [String: [String]]

    /// - Throws: ``UsageError`` for a name that is not among the known ones, for one that is given twice, and for a
    ///   value of another kind.
    package init(_ items: [(name: String, value: String)], known: [Parameter]) throws {
        var values: [String: [String]] = [:]
        for (name, value) in items {
            guard let parameter = known.first(where: { $0.name == name }) else {
                throw Self.unknown(name, known)
            }
            if values[name] != nil, !parameter.isRepeated { throw UsageError("--\(name) is given twice") }
            try parameter.check(value)
            values[name, default: []].append(value)
        }
        self.values = values
    }

    private static func unknown(_ name: String, _ known: [Parameter]) -> UsageError {
        let names = known.map(\.name).sorted()
        let nearest = Nearest.to(name, among: names).map { "did you mean --\($0)?" }
        return UsageError(
            "unknown parameter \"\(Sanitizer.value(name))\"; "
                + (nearest ?? "known: \(names.joined(separator: ", "))"))
    }

    /// Returns the first value that is not empty; nil if there is none. A form sends an empty value for an empty field.
    package func text(_ name: String) -> String? { texts(name).first }

    package func texts(_ name: String) -> [String] { values[name]?.filter { !$0.isEmpty } ?? [] }

    /// Returns true if the parameter is given, also with an empty value.
    func isGiven(_ name: String) -> Bool { values[name] != nil }

    package func has(_ name: String) -> Bool { text(name) == "1" }

    package func number(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

    package func choice<Choice: RawRepresentable<String>>(_ name: String) -> Choice? {
        text(name).flatMap(Choice.init(rawValue:))
    }
}

extension OperationParameters {
    var bounds: TimeBounds { TimeBounds(after: text("after"), before: text("before")) }

    /// The zone of times without one.
    package var zone: Zone { has("utc") ? .gmt : .local }

    var hidden: Set<HiddenMessages.Choice> { Set(texts("hide").flatMap { HiddenMessages.Choice.named($0) ?? [] }) }

    var selection: RoomSelection { RoomSelection(room: text("room"), accounts: texts("account")) }
}

extension Parameter {
    /// - Throws: ``UsageError`` for a value of another kind.
    fileprivate func check(_ value: String) throws {
        let shown = Sanitizer.value(value)
        switch kind {
        case _ where value.isEmpty, .text, .time: break
        case .flag:
            guard ["0", "1"].contains(value) else { throw UsageError("--\(name) is a flag: 1 or 0, not \"\(shown)\"") }
        case .number(let range):
            guard let number = Int(value), range.contains(number) else {
                throw UsageError(
                    "--\(name) takes \(range.lowerBound) to \(range.upperBound), not \"\(shown)\"")
            }
        case .choice(let choices):
            guard choices.contains(value) else {
                throw UsageError("--\(name) takes \(choices.joined(separator: ", ")), not \"\(shown)\"")
            }
        case .choices(let choices):
            let isKnown = value.split(separator: ",", omittingEmptySubsequences: false).allSatisfy {
                choices.contains(String($0))
            }
            guard isKnown else {
                throw UsageError(
                    "--\(name) takes \(choices.joined(separator: ", ")), or several with commas, not \"\(shown)\"")
            }
        }
    }
}
