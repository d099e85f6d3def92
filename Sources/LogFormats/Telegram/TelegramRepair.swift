import Bytes

/// Repairs a message that Telegram Desktop wrote as invalid JSON, one value a line: quotes without a backslash within a
/// text (2.3.1, tdesktop#8573), and a text without quotes (`document_id` of 4.1.1, tdesktop#24961).
enum TelegramRepair {
    static func repaired(_ message: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(message.count + 64)
        for line in message.split(separator: Byte.lineFeed, omittingEmptySubsequences: false) {
            if !result.isEmpty { result.append(Byte.lineFeed) }
            append(line, to: &result)
        }
        return result
    }

    private static func append(_ line: ArraySlice<UInt8>, to result: inout [UInt8]) {
        guard let start = line.firstIndex(where: { !Byte.isJSONSpace($0) }), line[start] == Byte.quote else {
            return result += line
        }
        var value = line[start...]
        if let end = value.dropFirst().firstIndex(of: Byte.quote), line[(end + 1)...].first == Byte.colon {
            value = line[(end + 1)...].dropFirst().drop(while: Byte.isJSONSpace)
        }
        while let last = value.last, Byte.isJSONSpace(last) { value = value.dropLast() }
        if value.last == Byte.comma { value = value.dropLast() }
        result += line[..<value.startIndex]
        switch value.first {
        case Byte.quote where value.count > 1 && value.last == Byte.quote:
            appendText(value.dropFirst().dropLast(), to: &result)
        case Byte.quote, Byte.objectStart, Byte.listStart, nil: result += value
        case _ where value.allSatisfy(Byte.isJSONScalar): result += value
        default: appendText(value, to: &result)
        }
        result += line[value.endIndex...]
    }

    /// Appends a text in quotes, with a backslash before each quote within that has none.
    private static func appendText(_ text: ArraySlice<UInt8>, to result: inout [UInt8]) {
        result.append(Byte.quote)
        var isEscaped = false
        for byte in text {
            if byte == Byte.quote, !isEscaped { result.append(Byte.backslash) }
            isEscaped = byte == Byte.backslash && !isEscaped
            result.append(byte)
        }
        result.append(Byte.quote)
    }
}
