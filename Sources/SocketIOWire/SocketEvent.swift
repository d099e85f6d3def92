import Bytes
import Foundation

/// An event's name and arguments.
package struct SocketEvent: Sendable, Hashable {
    package var name: String
    /// The JSON of the arguments as it was sent: the text of one, or of several with commas between; empty for none.
    /// Not validated inside.
    package var arguments: [UInt8]

    /// Reads `["name",…]`; nil for anything else.
    package init?(payload: [UInt8]) {
        guard let (name, arguments) = Self.parts(of: payload) else { return nil }
        (self.name, self.arguments) = (name, Array(arguments))
    }

    /// Returns the parts without copying the arguments.
    static func parts(of payload: [UInt8]) -> (name: String, arguments: ArraySlice<UInt8>)? {
        let array = payload[...].trimmed
        guard array.count >= 2, array.first == Byte.listStart, array.last == Byte.listEnd else { return nil }
        let elements = array.dropFirst().dropLast().trimmed
        guard elements.first == Byte.quote else { return nil }
        var scan = ValueScan(first: Byte.quote)
        let (end, isOver) = scan.end(in: payload, from: elements.startIndex + 1)
        guard isOver, end <= elements.endIndex, let name = string(elements[..<end]) else { return nil }
        let rest = elements[end...].trimmed
        guard rest.isEmpty || rest.first == Byte.comma else { return nil }
        let arguments = rest.dropFirst().trimmed
        // Rejects a comma at the end.
        return rest.isEmpty || !arguments.isEmpty ? (name, arguments) : nil
    }

    private static func string(_ quoted: ArraySlice<UInt8>) -> String? {
        // Avoids the decoder for nearly all names, because it takes as long as everything else.
        if !quoted.contains(where: { $0 == Byte.backslash || $0 < 0x20 }) {
            return String(validating: quoted.dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONDecoder().decode(String.self, from: Data(quoted))
    }
}

extension SocketPacket {
    /// The server's reason for refusing a namespace: the message of `{"message":"…"}`, or the whole payload.
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
