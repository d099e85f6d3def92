import Foundation

/// An event's name and arguments.
package struct SocketEvent: Sendable, Hashable {
    package var name: String
    /// The arguments' JSON as it was sent: one argument's own text, several with commas between, empty for none. Only its
    /// beginning and end were looked at.
    package var arguments: [UInt8]

    /// Reads `["name",…]`; nil where that is none.
    package init?(payload: [UInt8]) {
        let array = payload[...].trimmed
        guard array.count >= 2, array.first == Byte.opening, array.last == Byte.closing else { return nil }
        let elements = array.dropFirst().dropLast().trimmed
        guard let end = Self.endOfString(elements), let name = Self.string(elements[..<end]) else { return nil }
        let rest = elements[end...].trimmed
        guard rest.isEmpty || rest.first == Byte.comma else { return nil }
        self.name = name
        arguments = Array(rest.dropFirst().trimmed)
        // A comma that nothing follows.
        if !rest.isEmpty, arguments.isEmpty { return nil }
    }

    /// After the closing quote of the string that this begins with.
    private static func endOfString(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.first == Byte.quote else { return nil }
        var isEscaped = false
        for index in bytes.indices.dropFirst() {
            if isEscaped {
                isEscaped = false
            } else if bytes[index] == Byte.backslash {
                isEscaped = true
            } else if bytes[index] == Byte.quote {
                return index + 1
            }
        }
        return nil
    }

    private static func string(_ quoted: ArraySlice<UInt8>) -> String? {
        try? JSONDecoder().decode(String.self, from: Data(quoted))
    }
}

extension SocketPacket {
    /// Why a namespace was refused, in the server's words: `{"message":"…"}`, or the payload where it has none.
    package var refusal: String {
        struct Fields: Decodable {
            var message: String
        }
        let data = Data(payload)
        if let fields = try? JSONDecoder().decode(Fields.self, from: data) { return fields.message }
        if let text = try? JSONDecoder().decode(String.self, from: data) { return text }
        return String(decoding: payload, as: UTF8.self)
    }
}
