import Bytes
import FoundationEssentials
import Rendering

/// A request or notification of JSON-RPC 2.0, as the Model Context Protocol uses it.
struct MCPMessage {
    /// Nil for a notification, which has no answer.
    var id: JSONValue?
    var method: String
    var parameters: [String: JSONValue]

    /// The limit of a message in bytes. The longest useful one is a search of 4 KiB.
    static let limit = 1 << 20
    /// The limit of values in a message.
    private static let values = 10_000

    /// - Throws: ``MCPError`` for bytes that are not such a message.
    init(_ bytes: [UInt8]) throws(MCPError) {
        guard bytes.count <= Self.limit, !JSONValueCount.exceeds(Self.values, in: bytes[...]) else {
            throw MCPError(.invalidRequest, "the message is too large")
        }
        guard let read = try? JSONDecoder().decode(ReadValue.self, from: Data(bytes)) else {
            throw MCPError(.parse, "the message is not JSON")
        }
        guard case .object(let members) = read.value else {
            throw MCPError(.invalidRequest, "a message is one JSON object; there are no batches")
        }
        let message = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        switch message["id"] {
        case nil: id = nil
        case .string(let text)?: id = .string(text)
        case .number(let number)?: id = .number(number)
        case _?: throw MCPError(.invalidRequest, "\"id\" is a string or an integer")
        }
        guard message["jsonrpc"] == .string("2.0"), case .string(let method)? = message["method"] else {
            throw MCPError(.invalidRequest, "a message has \"jsonrpc\": \"2.0\" and \"method\"", id: id)
        }
        self.method = method
        parameters = message["params"]?.dictionary ?? [:]
        guard message["params"] == nil || message["params"]?.dictionary != nil else {
            throw MCPError(.invalidParameters, "\"params\" is an object", id: id)
        }
    }

    /// A member of `_meta`, whose keys begin with the protocol's name.
    func meta(_ key: String) -> JSONValue? { parameters["_meta"]?.dictionary?["io.modelcontextprotocol/\(key)"] }
}

/// An error of the protocol, not of a tool.
package struct MCPError: Error {
    package enum Code: Int64, Sendable {
        case parse = -32700
        case invalidRequest = -32600
        case unknownMethod = -32601
        case invalidParameters = -32602
        case internalError = -32603
        case headerMismatch = -32020
        case unsupportedVersion = -32022
    }

    package var code: Code
    var text: String
    var data: JSONValue?
    /// The message's id, if it could be read.
    var id: JSONValue?

    init(_ code: Code, _ text: String, data: JSONValue? = nil, id: JSONValue? = nil) {
        (self.code, self.text, self.data, self.id) = (code, text, data, id)
    }

    var answer: JSONValue {
        var error: [JSONValue.Member] = [
            .init(key: "code", value: .number(code.rawValue)), .init(key: "message", value: .string(text)),
        ]
        if let data { error.append(.init(key: "data", value: data)) }
        return .object(["jsonrpc": .string("2.0"), "id": id ?? .null, "error": .object(error)])
    }
}

extension JSONValue {
    /// The members of an object by key; nil for other values.
    var dictionary: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }
}

/// A JSON value as a decoder reads it. Fractions are texts, because no parameter takes one.
private struct ReadValue: Decodable {
    let value: JSONValue

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Key.self) {
            value = .object(
                try object.allKeys.map { key in
                    JSONValue.Member(key: key.stringValue, value: try object.decode(ReadValue.self, forKey: key).value)
                })
        } else if var list = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !list.isAtEnd { values.append(try list.decode(ReadValue.self).value) }
            value = .array(values)
        } else {
            value = try Self.scalar(decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let text = try? container.decode(String.self) { return .string(text) }
        if let flag = try? container.decode(Bool.self) { return .bool(flag) }
        if let number = try? container.decode(Int64.self) { return .number(number) }
        return .string(String(try container.decode(Double.self)))
    }
}
