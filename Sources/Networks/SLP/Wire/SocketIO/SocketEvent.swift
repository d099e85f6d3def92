import Bytes
import FoundationEssentials

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
        let (count, end) = scan.end(in: elements.dropFirst())
        guard end == .here, let name = JSONText.string(elements.prefix(count + 1)) else { return nil }
        let rest = elements.dropFirst(count + 1).trimmed
        guard rest.isEmpty || rest.first == Byte.comma else { return nil }
        let arguments = rest.dropFirst().trimmed
        // Rejects a comma at the end.
        return rest.isEmpty || !arguments.isEmpty ? (name, arguments) : nil
    }
}

extension SocketPacket {
    /// The server's reason for refusing a namespace: the message of `{"message":"…"}`, or the whole payload.
    package var refusal: String {
        struct Fields: Decodable {
            var message: String
        }
        if let fields = try? JSONDecoder().decode(Fields.self, from: Data(payload)) { return fields.message }
        return JSONText.string(payload[...].trimmed) ?? String(decoding: payload, as: UTF8.self)
    }
}
