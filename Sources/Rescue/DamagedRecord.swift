/// A value of a record in a damaged file.
enum DamagedValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The text, with U+FFFD in place of bytes that are not UTF-8.
    var text: String? { if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil } }
}

/// The values of a row or of an entry of an index, as SQLite's record format has them.
enum DamagedRecord {
    /// Decodes a record.
    ///
    /// - Returns: The values; nil if the bytes are not exactly one record.
    static func values(_ bytes: [UInt8]) -> [DamagedValue]? {
        guard let header = bytes.varint(at: 0), header.value >= header.end, header.value <= bytes.count else {
            return nil
        }
        let headerEnd = Int(header.value)
        var values: [DamagedValue] = []
        var (place, content) = (header.end, headerEnd)
        while place < headerEnd {
            guard let type = bytes.varint(at: place), type.end <= headerEnd,
                let (value, end) = value(type.value, bytes, at: content)
            else { return nil }
            values.append(value)
            (place, content) = (type.end, end)
        }
        return content == bytes.count ? values : nil
    }

    /// The sizes in bytes of the integers of serial types 0 to 6.
    private static let integerBytes = [0, 1, 2, 3, 4, 6, 8]

    private static func value(_ type: Int64, _ bytes: [UInt8], at place: Int) -> (DamagedValue, end: Int)? {
        switch type {
        case 0: return (.null, place)
        case 8, 9: return (.integer(type - 8), place)
        case 1...6:
            let end = place + integerBytes[Int(type)]
            guard end <= bytes.count else { return nil }
            return (.integer(integer(bytes[place..<end])), end)
        case 7:
            guard place + 8 <= bytes.count else { return nil }
            return (.real(Double(bitPattern: UInt64(bitPattern: integer(bytes[place..<place + 8])))), place + 8)
        case 12...:
            let count = (type - 12) / 2
            guard count <= Int64(bytes.count - place) else { return nil }
            let content = Array(bytes[place..<place + Int(count)])
            return (type.isMultiple(of: 2) ? .blob(content) : .text(content), place + Int(count))
        default: return nil
        }
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let sign: Int64 = bytes.first.map { $0 & 0x80 != 0 } == true ? -1 : 0
        return bytes.reduce(sign) { $0 << 8 | Int64($1) }
    }
}
