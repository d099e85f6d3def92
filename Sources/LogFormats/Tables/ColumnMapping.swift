/// The columns of a table that have the parts of its messages: `time=Date+Time,sender=User,text=Message`.
package struct ColumnMapping: Sendable, Hashable {
    /// A part of a message.
    package enum Part: String, Sendable, CaseIterable {
        case time, sender, text, room, id, reply
        /// True for one's own message: see ``OwnWord``.
        case own
        case kind
    }

    /// The columns of each part, as given. Only the time may have several, which are read with a space between them.
    private(set) var columns: [Part: [String]] = [:]

    /// Reads parts with their columns, separated by commas. A column is a name or a number, from 1; in JSON lines a
    /// path such as `user.name`. Spaces around each are ignored.
    package init(_ text: String) throws(ColumnMappingError) {
        for assignment in text.split(separator: ",") {
            let sides = assignment.split(separator: "=", maxSplits: 1).map(Self.trimmed)
            guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else {
                throw ColumnMappingError("\"\(Self.trimmed(assignment))\" is not of the form PART=COLUMN")
            }
            guard let part = Part(rawValue: sides[0].lowercased()) else {
                throw ColumnMappingError("\"\(sides[0])\" is not a part of a message; use \(Self.parts)")
            }
            guard columns[part] == nil else { throw ColumnMappingError("\(part.rawValue) has two columns") }
            columns[part] = part == .time ? sides[1].split(separator: "+").map(Self.trimmed) : [sides[1]]
        }
        for part in [Part.time, .text] where columns[part]?.isEmpty ?? true {
            throw ColumnMappingError("no column has the \(part.rawValue); add \(part.rawValue)=COLUMN")
        }
    }

    init(_ columns: [Part: [String]]) {
        self.columns = columns
    }

    /// True if all columns are numbers, so that the table needs no header.
    var isNumbered: Bool { columns.values.joined().allSatisfy { Int($0) != nil } }

    /// Returns the positions of the columns, from 0.
    ///
    /// - Parameters:
    ///   - header: The names in the table's first record.
    /// - Throws: ``LogSourceError/unusable(reason:hint:)`` if a column is neither a name nor a number of the header's.
    func positions(in header: [String]) throws(LogSourceError) -> [Part: [Int]] {
        var positions: [Part: [Int]] = [:]
        for (part, names) in columns {
            for name in names {
                guard let position = Self.position(of: name, in: header) else {
                    throw .unusable(
                        reason: "it has no column \"\(name)\"",
                        hint:
                            "its columns: \(header.prefix(20).map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", "))"
                    )
                }
                positions[part, default: []].append(position)
            }
        }
        return positions
    }

    private static func position(of name: String, in header: [String]) -> Int? {
        if let position = header.firstIndex(of: name) { return position }
        let folded = name.lowercased()
        if let position = header.firstIndex(where: { $0.lowercased() == folded }) { return position }
        guard let number = Int(name), (1...header.count).contains(number) else { return nil }
        return number - 1
    }

    private static let parts = Part.allCases.dropLast().map(\.rawValue).joined(separator: ", ") + " or kind"

    static func trimmed(_ text: some StringProtocol) -> String {
        var rest = Substring(text)
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}

/// A mistake in the columns that a user names.
package struct ColumnMappingError: Error, Hashable {
    /// The mistake with advice, for people.
    package let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
