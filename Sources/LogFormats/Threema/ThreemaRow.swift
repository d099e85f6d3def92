import Bytes
import ChatModel

/// A row of a table of a backup. Its fields are found by the names of the columns, which differ between versions.
struct ThreemaRow {
    /// The faults of the row's bytes.
    let flags: MessageFlags
    private let columns: [String: Int]
    private let fields: [ArraySlice<UInt8>?]

    /// More columns than a table has.
    private static let maximumColumns = 100

    /// - Throws: ``UnreadablePiece`` for a record in which a quote is not closed.
    init(_ record: ArraySlice<UInt8>, columns: [String: Int]) throws(UnreadablePiece) {
        guard let fields = CSVRecord(record, separator: Byte.comma)?.fields else {
            throw UnreadablePiece("a quote is not closed")
        }
        (self.fields, self.columns, flags) = (fields, columns, LogText(record).flags)
    }

    /// Returns the positions of the columns by their names; nil for a header in which a quote is not closed.
    static func columns(of header: ArraySlice<UInt8>) -> [String: Int]? {
        guard let fields = CSVRecord(header, separator: Byte.comma)?.fields else { return nil }
        var columns: [String: Int] = [:]
        for (index, field) in fields.prefix(maximumColumns).enumerated() {
            let name = String(decoding: field ?? [], as: UTF8.self)
            if columns[name] == nil { columns[name] = index }
        }
        return columns
    }

    /// Returns the text of a field; nil for an empty one, and if the table lacks the column.
    subscript(_ column: String) -> String? {
        guard let index = columns[column], fields.indices.contains(index), let field = fields[index], !field.isEmpty
        else { return nil }
        return LogText(Self.unescaped(field)).string
    }

    /// Returns a field as a number; nil for another text.
    func integer(_ column: String) -> Int64? { self[column].flatMap { Int64($0) } }

    /// Returns a field as a time, which is in milliseconds since 1970; nil for another text, and for times from the year
    /// 5138 on.
    func time(_ column: String) -> Timestamp? {
        guard let milliseconds = integer(column), (1..<100_000_000_000_000).contains(milliseconds) else { return nil }
        return Timestamp(milliseconds: milliseconds)
    }

    func isTrue(_ column: String) -> Bool { self[column] == "1" }

    /// Returns a field with one backslash for two, as the app writes it.
    private static func unescaped(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard field.contains(Byte.backslash) else { return field }
        var (bytes, isFirst) = ([UInt8](), false)
        bytes.reserveCapacity(field.count)
        for byte in field {
            if byte == Byte.backslash, isFirst {
                isFirst = false
            } else {
                bytes.append(byte)
                isFirst = byte == Byte.backslash
            }
        }
        return bytes[...]
    }
}

/// A table of a backup.
enum ThreemaTable: Hashable, Sendable {
    case contacts, groups, lists, polls, choices, contactReactions, groupReactions
    /// The messages of a chat of two, by the id in the file's name.
    case chat(String)
    /// The messages of a group.
    case group(String)
    /// The messages that were sent to a list of people.
    case list(String)

    /// The tables that are read before the messages, in this order.
    private static let facts: [(name: String, table: ThreemaTable)] = [
        ("contacts", .contacts), ("groups", .groups), ("distribution_list", .lists), ("ballot", .polls),
        ("ballot_choice", .choices), ("contact_reactions", .contactReactions), ("group_reactions", .groupReactions),
    ]
    private static let ending = ".csv"

    /// - Parameter file: The name of a file.
    /// - Returns: Nil for another file.
    init?(_ file: String) {
        guard file.hasSuffix(Self.ending) else { return nil }
        let stem = String(file.dropLast(Self.ending.count))
        func id(after prefix: String) -> String? {
            stem.hasPrefix(prefix) && stem.utf8.count > prefix.utf8.count ? String(stem.dropFirst(prefix.count)) : nil
        }
        if let fact = Self.facts.first(where: { $0.name == stem }) {
            self = fact.table
        } else if let id = id(after: "group_message_") {
            self = .group(id)
        } else if let id = id(after: "distribution_list_message_") {
            self = .list(id)
        } else if let id = id(after: "message_") {
            self = .chat(id)
        } else {
            return nil
        }
    }

    /// The place in the order of reading: tables of messages last.
    var order: Int { Self.facts.firstIndex { $0.table == self } ?? Self.facts.count }

    var hasMessages: Bool { order == Self.facts.count }

    /// The beginning of the names of the files that messages of the table have.
    var mediaPrefix: String {
        switch self {
        case .group: "group_message_media_"
        case .list: "distribution_list_message_media_"
        default: "message_media_"
        }
    }
}
