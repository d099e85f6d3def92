import Bytes

/// The names with spaces in a text whose columns are separated by spaces.
///
/// Such a text does not say where a name ends. But all lines of a person begin with the whole name, so the words that all
/// lines with one first word have in common are taken as the name.
struct LINENames {
    /// The words after the first one, by the first one, with a space before each.
    private var rests: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]

    /// LINE allows 20 characters in a name.
    private static let maximumCharacters = 20

    /// - Parameter lines: The lines at the beginning of the text.
    init(_ lines: some Sequence<ArraySlice<UInt8>>) {
        var common: [ArraySlice<UInt8>: (rest: ArraySlice<UInt8>, count: Int)] = [:]
        for line in lines {
            guard case .record(let record)? = LINELine(line, separator: Byte.space), let first = record.sender,
                record.text.startIndex > line.startIndex
            else { continue }
            // The last word is of the text.
            let words = line[(record.text.startIndex - 1)...]
            let rest = words[..<(words.lastIndex(of: Byte.space) ?? words.startIndex)]
            let known = common[first]
            common[first] = (known.map { Self.common($0.rest, rest) } ?? rest, (known?.count ?? 0) + 1)
        }
        for (first, (rest, count)) in common where count > 1 {
            let rest = Self.shortened(rest, after: first)
            if !rest.isEmpty { rests[first] = rest }
        }
    }

    /// Returns the whole words that both begin with.
    private static func common(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let count = zip(left, right).prefix { $0 == $1 }.count
        let isWhole = { (words: ArraySlice<UInt8>) in
            words.count == count || words[words.startIndex + count] == Byte.space
        }
        if isWhole(left), isWhole(right) { return left.prefix(count) }
        return left.prefix(count).lastIndex(of: Byte.space).map { left[..<$0] } ?? left.prefix(0)
    }

    private static func shortened(_ rest: ArraySlice<UInt8>, after first: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        // More bytes than so many characters have; the loop ends at a space.
        var rest = rest.prefix(64 * maximumCharacters)
        while !rest.isEmpty, String(decoding: first + rest, as: UTF8.self).count > maximumCharacters {
            rest = rest[..<(rest.lastIndex(of: Byte.space) ?? rest.startIndex)]
        }
        return rest
    }

    /// Returns a record with the whole name of its sender.
    ///
    /// - Parameter line: The line of the record.
    func whole(_ record: LINERecord, in line: ArraySlice<UInt8>) -> LINERecord {
        guard let first = record.sender, let rest = rests[first],
            case let words = line[first.endIndex...], words.starts(with: rest),
            case let text = words.dropFirst(rest.count), text.first == Byte.space
        else { return record }
        var record = record
        record.sender = line[first.startIndex..<text.startIndex]
        record.text = text.dropFirst()
        return record
    }

    /// The assumption about the names, for people.
    var assumption: String {
        guard !rests.isEmpty else { return "names end at the first space, because spaces separate the columns" }
        return
            "names with spaces are the words that all lines of a person begin with, because spaces separate the columns"
    }
}
