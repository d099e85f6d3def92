import Bytes
import FoundationEssentials

/// The result of decoding an answer or one element of it.
package enum DecodedElement<Value: Sendable & Hashable>: Sendable, Hashable {
    /// A value with the bytes from which it was decoded.
    case value(Value, raw: [UInt8])
    /// Bytes that are not a valid value; for an element that is too long, perhaps only its beginning. `detail` is for
    /// people, without the server's words.
    case malformed(raw: [UInt8], detail: String)

    /// The value; nil for a malformed element.
    package var value: Value? {
        if case .value(let value, _) = self { value } else { nil }
    }

    /// The bytes of either case.
    package var raw: [UInt8] {
        switch self {
        case .value(_, let raw), .malformed(let raw, _): raw
        }
    }
}

extension DecodedElement where Value: Decodable {
    package init(_ element: ElementSplitter.Element) {
        switch element {
        case .whole(let bytes): self.init(bytes)
        case .tooLong(let beginning, let bytes):
            self = .malformed(raw: beginning, detail: "the element has \(bytes) bytes, more than the limit")
        }
    }

    /// The limit of values of one element, counted as commas and brackets outside of strings: a chat has 20 and its
    /// files. Each value takes a hundred times its bytes in memory while it is read.
    private static var maximumValues: Int { 2000 }

    package init(_ json: [UInt8]) {
        guard !JSONValueCount.exceeds(Self.maximumValues, in: json[...]) else {
            self = .malformed(raw: json, detail: "it has more than \(Self.maximumValues) values")
            return
        }
        do {
            self = .value(try JSONDecoder().decode(Value.self, from: Data(json)), raw: json)
        } catch {
            self = .malformed(raw: json, detail: Self.detail(error))
        }
    }

    private static func detail(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
        case DecodingError.valueNotFound(_, let context): "\(path(context)) is null"
        case DecodingError.typeMismatch(_, let context): "\(path(context)) has the wrong type"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            "\(path(context)) can't be read"
        default: "it is not JSON"
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        context.codingPath.isEmpty ? "the value" : context.codingPath.map(\.stringValue).joined(separator: ".")
    }
}

/// An id of either generation as text: a number or a string.
struct AnyID: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            text = String(number)
        } else if let number = try? container.decode(UInt64.self) {
            text = String(number)
        } else {
            text = try container.decode(String.self)
        }
        guard !text.isEmpty else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "an empty id")
        }
    }
}

extension KeyedDecodingContainer {
    func id(_ key: Key) throws -> String {
        try decode(AnyID.self, forKey: key).text
    }

    /// Returns an optional value; nil if it is missing or has another type.
    func lenient<Value: Decodable>(_ key: Key) -> Value? {
        (try? decodeIfPresent(Value.self, forKey: key)) ?? nil
    }

    func lenientID(_ key: Key) -> String? {
        (lenient(key) as AnyID?)?.text
    }

    func lenientTime(_ key: Key) -> SLPTime? {
        (lenient(key) as String?).flatMap(SLPTime.init)
    }

    /// - Throws: An error if there is no time, which a message must have.
    func time(_ key: Key) throws -> SLPTime {
        guard let time = SLPTime(try decode(String.self, forKey: key)) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "not a time")
        }
        return time
    }
}
