/// Writes records of comma-separated values (RFC 4180).
package enum CSV {
    /// Returns the record for the fields, ended by CRLF. Hostile characters are escaped, and formulas are made
    /// harmless.
    package static func record(_ fields: [String]) -> String {
        fields.map(field).joined(separator: ",") + "\r\n"
    }

    /// A field of a record.
    package enum Field {
        /// A text, which may be hostile.
        case text(String)
        /// A number, which no program takes for a formula, also if it is negative.
        case number(String)
    }

    /// Returns the record for fields that may be numbers.
    package static func record(of fields: [Field]) -> String {
        fields.map { field in
            switch field {
            case .text(let text): self.field(text)
            case .number(let digits): digits
            }
        }.joined(separator: ",") + "\r\n"
    }

    /// Returns the record for a JSON object's values. The words of a list are joined by spaces; null is empty.
    package static func record(_ object: JSONValue) -> String {
        record(columns(of: object).map(\.text))
    }

    /// Returns the keys of a JSON object as names of columns.
    package static func header(of object: JSONValue) -> [String] {
        columns(of: object).map(\.key)
    }

    /// Escapes a field. Control characters become visible, and text that a spreadsheet would take for a formula gets a
    /// `'` before it: the characters of OWASP's "CSV Injection", with full-width forms.
    private static func field(_ text: String) -> String {
        let hasFormula = text.unicodeScalars.first.map { "=+-@＝＋－＠\t\r".unicodeScalars.contains($0) } ?? false
        let shown = (hasFormula ? "'" : "") + Sanitizer.line(text)
        guard shown.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" }) else { return shown }
        return "\"" + shown.replacingScalar("\"", with: "\"\"") + "\""
    }

    /// The last column of a message.
    static let isSelf = "sender_is_self"
    /// A key that only people and rooms with a picture have, and CSV leaves out.
    static let picture = "picture"
    /// A key that only people of networks with ids have, and CSV leaves out.
    static let personID = "key"

    /// Returns the columns of an object: `sender {id, name, is_self}` becomes `sender_id` and `sender_name`, and
    /// `sender_is_self` after all others. They are empty for no sender.
    private static func columns(of object: JSONValue) -> [(key: String, text: String)] {
        var columns = values(of: object)
        guard let place = columns.firstIndex(where: { $0.key == isSelf }) else { return columns }
        columns.append(columns.remove(at: place))
        return columns
    }

    private static func values(of object: JSONValue) -> [(key: String, text: String)] {
        guard case .object(let members) = object else { return [] }
        return members.flatMap { member -> [(key: String, text: String)] in
            switch member.value {
            // Few messages have them, and their columns would be in every record.
            case .object where member.key == "via" || member.key == picture: []
            case .object(let members) where member.key == "sender":
                values(of: .object(members.filter { $0.key != personID })).map { ("sender_\($0.key)", $0.text) }
            case .object: values(of: member.value).map { ("\(member.key)_\($0.key)", $0.text) }
            case .null where member.key == "sender": [("sender_id", ""), ("sender_name", ""), (isSelf, "")]
            case .null: [(member.key, "")]
            case .bool(let value): [(member.key, value ? "true" : "false")]
            case .number(let value): [(member.key, String(value))]
            case .real(let value): [(member.key, JSONValue.text(of: value))]
            case .string(let value): [(member.key, value)]
            case .array(let values): [(member.key, words(values))]
            }
        }
    }

    private static func words(_ values: [JSONValue]) -> String {
        values.map { value in
            if case .string(let text) = value { text } else { value.text }
        }.joined(separator: " ")
    }
}
