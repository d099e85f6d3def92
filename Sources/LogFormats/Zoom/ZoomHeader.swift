import Bytes
import ChatModel

/// The beginning of a message: `06:23:11\t From Alice : hi`, `06:23:11 From Alice to Everyone : hi`, or, with the text in the
/// next lines, after a tab each, `2026-11-21 06:23:11 From Alice to Everyone:`.
struct ZoomHeader: Sendable {
    let stamp: LineStamp
    let sender: ArraySlice<UInt8>
    /// The only receiver; nil for a message to everyone.
    let receiver: ArraySlice<UInt8>?
    /// The text in the same line.
    let text: ArraySlice<UInt8>
    /// True if the text is in the next lines.
    let isAbove: Bool

    /// The words of a language of the app.
    private struct Language {
        let from: String
        let to: [String]
        let everyone: [String]
    }

    private static let languages = [
        Language(from: "From ", to: [" to ", " To "], everyone: ["Everyone", "everyone"]),
        Language(from: "От ", to: [" кому "], everyone: ["Все", "все"]),
        Language(from: "", to: [" 對 "], everyone: ["所有人"]),
    ]

    private static let directMarks = ["(Direct Message)", "(direct message)", "(Privately)"]

    /// - Returns: Nil for a line that begins no message.
    init?(_ line: ArraySlice<UInt8>) {
        var rest = line
        guard let stamp = LineStamp(taking: &rest, brackets: .none), stamp.resolution == .second else { return nil }
        let (people, text, isAbove) = Self.parted(rest.trimmed)
        for language in Self.languages {
            guard let names = people.after(language.from).map({ Self.names($0, language) }) else { continue }
            // A name alone is one only after a word, and before a colon with a space on both sides.
            guard names.hasReceiver || !language.from.isEmpty && rest.range(of: " : ") != nil, !names.sender.isEmpty
            else {
                continue
            }
            (self.stamp, sender, receiver) = (stamp, names.sender, names.receiver)
            (self.text, self.isAbove) = (text, isAbove)
            return
        }
        return nil
    }

    /// The words directly before the colon that ends the people.
    private static let receivers =
        languages.flatMap { language in language.to.flatMap { to in language.everyone.map { to + $0 } } } + directMarks

    /// Returns the people before the first colon behind one of ``receivers``, and the text after it; nil if there is none.
    private static func partedByReceiver(
        _ rest: ArraySlice<UInt8>
    ) -> (people: ArraySlice<UInt8>, text: ArraySlice<UInt8>, isAbove: Bool)? {
        let colons = receivers.compactMap { word -> Int? in
            guard let end = rest.range(of: word)?.upperBound else { return nil }
            let after = rest[end...].first == Byte.space ? rest[(end + 1)...] : rest[end...]
            guard after.first == Byte.colon, after.count == 1 || after.dropFirst().first == Byte.space else {
                return nil
            }
            return after.startIndex
        }
        guard let colon = colons.min() else { return nil }
        let text = rest[(colon + 1)...]
        return (rest[..<colon], text.dropFirst(), text.isEmpty)
    }

    /// Returns the people before the colon, and the text after it, which may have colons, too.
    private static func parted(
        _ rest: ArraySlice<UInt8>
    ) -> (people: ArraySlice<UInt8>, text: ArraySlice<UInt8>, isAbove: Bool) {
        if let parted = partedByReceiver(rest) { return parted }
        if let (people, text) = rest.parted(by: ": "), hasReceiver(people) { return (people, text, false) }
        if let (people, text) = rest.parted(by: " : ") { return (people, text, false) }
        if rest.last == Byte.colon { return (rest.dropLast(), [], true) }
        guard let (people, text) = rest.parted(by: ": ") else { return ([], [], false) }
        return (people, text, false)
    }

    private static func hasReceiver(_ people: ArraySlice<UInt8>) -> Bool {
        languages.contains { language in
            people.after(language.from).map { names($0, language).hasReceiver } ?? false
        }
    }

    private static func names(
        _ people: ArraySlice<UInt8>, _ language: Language
    ) -> (sender: ArraySlice<UInt8>, receiver: ArraySlice<UInt8>?, hasReceiver: Bool) {
        guard let range = language.to.lazy.compactMap({ people.lastRange(of: $0) }).first else {
            return (people.trimmed, nil, false)
        }
        var receiver = people[range.upperBound...].trimmed
        let mark = directMarks.first { receiver.suffix($0.utf8.count).elementsEqual($0.utf8) }
        if let mark { receiver = receiver.dropLast(mark.utf8.count).trimmed }
        let isEveryone =
            receiver.isEmpty || mark == nil && language.everyone.contains { receiver.elementsEqual($0.utf8) }
        return (people[..<range.lowerBound].trimmed, isEveryone ? nil : receiver, true)
    }
}
