import Bytes

/// A record of comma-separated values (RFC 4180), and its fields.
///
/// A field may be quoted; two quotes in it are one. A quote within a field that does not begin with one is a character
/// like others.
struct CSVRecord {
    /// The character between fields.
    struct Separator: Sendable, Hashable {
        let byte: UInt8
        /// True for a first record `sep=;`, which spreadsheets write before the header.
        var isDeclared = false

        static let all: [UInt8] = [Byte.comma, Byte.semicolon, UInt8(ascii: "\t"), UInt8(ascii: "|")]

        /// Finds the separator of a table: the known one that is most frequent outside quotes in the first record.
        init(of record: ArraySlice<UInt8>) {
            let declaration = record.starts(with: "sep=") || record.starts(with: "SEP=") ? record.dropFirst(4) : []
            if declaration.count == 1, let byte = declaration.first, byte > Byte.space || byte == UInt8(ascii: "\t") {
                (self.byte, isDeclared) = (byte, true)
                return
            }
            var counts = [0, 0, 0, 0]
            var isQuoted = false
            for byte in record {
                if byte == Byte.quote {
                    isQuoted.toggle()
                } else if !isQuoted, let index = Self.all.firstIndex(of: byte) {
                    counts[index] += 1
                }
            }
            byte = Self.all[counts.firstIndex(of: counts.max() ?? 0) ?? 0]
        }
    }

    /// The wanted fields, by their positions in `wanted`; nil for a field that the record does not have.
    private(set) var fields: [ArraySlice<UInt8>?]
    /// The number of all fields.
    private(set) var count = 0

    /// Reads the fields at some positions.
    ///
    /// - Parameter wanted: The positions, from 0; nil for all fields.
    /// - Returns: Nil if a quote is not closed.
    init?(_ record: ArraySlice<UInt8>, separator: UInt8, wanted: [Int]? = nil) {
        fields = Array(repeating: nil, count: wanted?.count ?? 0)
        var rest = record
        while true {
            let isQuoted = rest.first == Byte.quote
            guard let field = isQuoted ? Self.quoted(&rest, separator) : Self.plain(&rest, separator) else {
                return nil
            }
            if let wanted {
                for (index, position) in wanted.enumerated() where position == count { fields[index] = field }
            } else {
                fields.append(field)
            }
            count += 1
            guard rest.first == separator else { return }
            rest = rest.dropFirst()
        }
    }

    private static func plain(_ rest: inout ArraySlice<UInt8>, _ separator: UInt8) -> ArraySlice<UInt8> {
        let field = rest.prefix { $0 != separator }
        rest = rest[field.endIndex...]
        return field
    }

    /// Takes a field after its first quote, up to the separator. Characters after its last quote belong to it.
    private static func quoted(_ rest: inout ArraySlice<UInt8>, _ separator: UInt8) -> ArraySlice<UInt8>? {
        rest = rest.dropFirst()
        guard let end = rest.firstIndex(of: Byte.quote) else { return nil }
        let after = rest.index(after: end)
        if after == rest.endIndex || rest[after] == separator {
            defer { rest = rest[after...] }
            return rest[..<end]
        }
        var field: [UInt8] = []
        while let end = rest.firstIndex(of: Byte.quote) {
            field += rest[..<end]
            rest = rest[(end + 1)...]
            guard rest.first == Byte.quote else {
                field += plain(&rest, separator)
                return field[...]
            }
            field.append(Byte.quote)
            rest = rest.dropFirst()
        }
        return nil
    }
}
