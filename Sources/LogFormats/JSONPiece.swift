import Bytes
import ChatModel
import Foundation

/// A piece of JSON as a value, with the faults of its bytes.
struct JSONPiece<Value: Decodable> {
    let value: Value
    let flags: MessageFlags

    /// - Parameter limit: The limit of bytes that the cutter keeps of a piece.
    /// - Throws: ``UnreadablePiece``, also for a piece of more than 100,000 values.
    init(_ line: LogLine, limit: Int) throws(UnreadablePiece) {
        guard line.place != JSONPieceCutter.brokenPlace else {
            throw UnreadablePiece(
                line.bytes.isEmpty ? "the file ends in the middle of its JSON" : "the JSON is invalid here")
        }
        guard !line.isCut else { throw UnreadablePiece("longer than \(limit) bytes") }
        guard !JSONValueCount.exceeds(JSONDecoding.maximumValues, in: line.bytes) else {
            throw UnreadablePiece("more than \(JSONDecoding.maximumValues) values")
        }
        do {
            (value, flags) = (try Self.decode(line.bytes), [])
        } catch {
            let repaired = JSONRepair(line.bytes)
            guard repaired.bytes[...] != line.bytes else { throw UnreadablePiece(error) }
            do {
                (value, flags) = (try Self.decode(repaired.bytes[...]), repaired.flags)
            } catch {
                throw UnreadablePiece(error)
            }
        }
    }

    private static func decode(_ bytes: ArraySlice<UInt8>) throws -> Value {
        try JSONDecoding.decoder.decode(Value.self, from: Data(bytes))
    }
}

/// One decoder for all pieces.
private enum JSONDecoding {
    static let decoder = JSONDecoder()
    /// The densest real message is one of DiscordChatExporter's with many reactions: eight values in about 400 bytes
    /// for each user who reacted, so 84,000 in 4 MiB.
    static let maximumValues = 100_000
}

/// The reason why a piece is not a message.
struct UnreadablePiece: Error {
    /// The reason, for people.
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    /// Names the key that the decoder failed at.
    init(_ error: any Error) {
        switch error {
        case let error as UnreadablePiece: self = error
        case DecodingError.keyNotFound(let key, let context):
            reason = "it has no \"\(Self.path(context.codingPath + [key]))\""
        case DecodingError.typeMismatch(_, let context) where context.codingPath.isEmpty,
            DecodingError.valueNotFound(_, let context) where context.codingPath.isEmpty:
            reason = "it is not a JSON object"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            reason = "its \"\(Self.path(context.codingPath))\" has the wrong type"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            reason = "its \"\(Self.path(context.codingPath))\" has the wrong type"
        default: reason = Self.noJSON.reason
        }
    }

    static let noJSON = UnreadablePiece("it is not JSON")

    /// Returns a path such as `reactions[0].count`.
    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? "" : ".") + key.stringValue
        }
    }
}

/// Repairs JSON that is slightly wrong: invalid UTF-8 and halves of surrogate pairs become U+FFFD, and `\x1F`, as
/// Telegram Desktop writes control characters, becomes `\u001F`.
struct JSONRepair {
    private(set) var bytes: [UInt8] = []
    private(set) var flags: MessageFlags = []

    init(_ source: ArraySlice<UInt8>) {
        let text = LogText(source)
        flags = text.flags
        var rest = Array(text.string.utf8)[...]
        while let byte = rest.popFirst() {
            bytes.append(byte)
            if byte == UInt8(ascii: "\\") { takeEscape(&rest) }
        }
    }

    private mutating func takeEscape(_ rest: inout ArraySlice<UInt8>) {
        guard let kind = rest.popFirst() else { return }
        if kind == UInt8(ascii: "x") {
            bytes += "u00".utf8
        } else if kind == UInt8(ascii: "u"), let unit = Self.unit(rest.prefix(4)) {
            let low = rest.dropFirst(4)
            let next = low.starts(with: "\\u".utf8) ? Self.unit(low.dropFirst(2).prefix(4)) : nil
            rest = low
            if UTF16.isLeadSurrogate(unit), let next, UTF16.isTrailSurrogate(next) {
                append(unit)
                bytes.append(UInt8(ascii: "\\"))
                append(next)
                rest = low.dropFirst(6)
            } else if UTF16.isSurrogate(unit) {
                append(0xFFFD)
                flags.insert(.invalidUTF8)
            } else {
                append(unit)
            }
        } else {
            bytes.append(kind)
        }
    }

    private mutating func append(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        bytes += ("u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits).utf8
    }

    private static func unit(_ digits: ArraySlice<UInt8>) -> UInt16? {
        digits.count == 4 ? UInt16(String(decoding: digits, as: UTF8.self), radix: 16) : nil
    }
}

/// A string or a number: exports write ids, counts and times as either.
struct JSONScalar: Decodable, Hashable {
    let text: String

    /// The longest value, in bytes. Real ids are shorter.
    static let maximumLength = 1024

    init(_ text: String) {
        self.text = text
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let string = try? container.decode(String.self) {
            text = string.withoutNUL
        } else if let integer = try? container.decode(Int64.self) {
            text = String(integer)
        } else {
            text = "\(try container.decode(Decimal.self))"
        }
        guard text.utf8.count <= Self.maximumLength else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "too long")
        }
    }

    /// The value as a number; nil if it isn't a whole number.
    var integer: Int64? { Int64(text) }

    /// The value as an id; nil if it is empty, which some exports write for a missing one.
    var id: String? { text.isEmpty ? nil : text }
}
