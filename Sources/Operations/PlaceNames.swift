package import Accounts
package import Rendering

/// The names of an archive's place, which its readers need not know: the path of the data folder, and the address of a
/// shared archive.
package struct PlaceNames: Sendable {
    private let names: [String]

    /// - Parameters:
    ///   - folder: The data folder; nil if there is none.
    ///   - shared: The shared archive; nil if there is none.
    package init(folder: String?, shared: SharedAddress?) {
        // The longest first, because one may be a part of another. A relative path may be a part of any word.
        let folders = folder.map { $0.hasPrefix("/") ? [$0] : ["in \($0)"] } ?? []
        let addresses = shared.map { [$0.text, $0.shown] } ?? []
        names = (folders + addresses).flatMap { [$0, Sanitizer.line($0)] }.sorted { $0.utf8.count > $1.utf8.count }
    }

    /// Returns a text for people without the names.
    package func hidden(in text: String) -> String {
        names.reduce(into: text) { text, name in
            text.replace("in \(name)", with: "in the archive")
            text.replace(name, with: name.hasPrefix("in ") ? "in the archive" : "the archive")
        }
    }

    /// Returns an answer whose `left_out` does not have the names.
    package func hidden(in answer: JSONValue) -> JSONValue {
        guard case .object(var members) = answer,
            let index = members.firstIndex(where: { $0.key == "left_out" }),
            case .array(let accounts) = members[index].value, !accounts.isEmpty
        else { return answer }
        members[index].value = .array(accounts.map(hiddenTexts))
        return .object(members)
    }

    private func hiddenTexts(of object: JSONValue) -> JSONValue {
        guard case .object(let members) = object else { return object }
        return .object(
            members.map { member in
                guard member.key == "detail", case .string(let text) = member.value else { return member }
                return JSONValue.Member(key: member.key, value: .string(hidden(in: text)))
            })
    }
}
