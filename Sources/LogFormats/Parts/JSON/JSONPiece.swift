import Bytes
import ChatModel
import FoundationEssentials

/// A piece of JSON as a value, with the faults of its bytes.
struct JSONPiece<Value: Decodable> {
    let value: Value
    let flags: MessageFlags

    /// - Parameter limit: The limit of bytes that the cutter keeps of a piece.
    /// - Throws: ``UnreadablePiece``, also for a piece of more than 100,000 values.
    init(_ line: LogLine, limit: Int) throws(UnreadablePiece) {
        try line.requireWhole(limit: limit)
        guard !JSONValueCount.exceeds(JSONTree.maximumValues, in: line.bytes) else {
            throw UnreadablePiece("more than \(JSONTree.maximumValues) values")
        }
        do {
            (value, flags) = (try Self.decode(line.bytes), [])
        } catch {
            guard let tree = try? JSONTree(line.bytes) else { throw UnreadablePiece(error) }
            do {
                value = try Self.decode(tree.repaired[...])
            } catch {
                throw UnreadablePiece(error)
            }
            flags = tree.flags
        }
    }

    private static func decode(_ bytes: ArraySlice<UInt8>) throws -> Value {
        try JSONDecoding.decoder.decode(Value.self, from: Data(bytes))
    }
}

/// One decoder for all pieces.
private enum JSONDecoding {
    static let decoder = JSONDecoder()
}

extension LogLine {
    /// - Throws: ``UnreadablePiece`` for a piece that the cutter cut or found broken.
    func requireWhole(limit: Int) throws(UnreadablePiece) {
        guard place != JSONPieceCutter.brokenPlace else {
            throw UnreadablePiece(
                bytes.isEmpty ? "the file ends in the middle of its JSON" : "the JSON is invalid here")
        }
        guard !isCut else { throw UnreadablePiece("longer than \(limit) bytes") }
    }
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

extension JSONTree {
    /// The piece as JSON that every decoder reads: texts without the faults that ``flags`` then has, and without `\x1F`, as
    /// Telegram Desktop writes control characters.
    var repaired: [UInt8] {
        var (result, end): ([UInt8], Int) = ([], bytes.startIndex)
        for node in nodes where node.kind == .text || node.kind == .escapedText {
            result += bytes[end..<(bytes.startIndex + Int(node.start))]
            for byte in text(node).utf8 {
                switch byte {
                case Byte.quote, Byte.backslash: result += [Byte.backslash, byte]
                case 0..<0x20: result += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
                default: result.append(byte)
                }
            }
            end = bytes.startIndex + Int(node.end)
        }
        return result + bytes[end...]
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
