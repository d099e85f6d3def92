import Bytes

extension MatrixEvent {
    /// Reads an event that was encrypted.
    ///
    /// - Parameters:
    ///   - outer: The encrypted event. Its relation to others is not encrypted.
    ///   - inner: The decrypted type and content.
    ///   - room: The room of the encrypted event.
    package init(_ outer: [UInt8], decrypted inner: [UInt8], room: String) throws(Unreadable) {
        let bytes: [UInt8]
        do throws(UnreadablePiece) {
            bytes = try Self.whole(outer, inner, room)
        } catch {
            throw Unreadable(reason: error.reason)
        }
        do throws(Unreadable) {
            try self.init(bytes, nameOf: { $0 })
        } catch {
            throw Self.unknownForm
        }
    }

    private static let unknownForm = Unreadable(reason: "its text has an unknown form")

    /// Returns the event as it would be without encryption: of equal keys, the first one counts.
    private static func whole(_ outer: [UInt8], _ inner: [UInt8], _ room: String) throws(UnreadablePiece) -> [UInt8] {
        guard let outer = try? JSONValue(object: LogLine(number: 1, bytes: outer[...]), limit: outer.count),
            let inner = try? JSONValue(object: LogLine(number: 1, bytes: inner[...]), limit: inner.count),
            let type = inner["type"], type.text != nil, let content = inner["content"], content.isObject
        else { throw UnreadablePiece(unknownForm.reason) }
        guard inner["room_id"]?.text == room else { throw UnreadablePiece("it was encrypted for another room") }
        var relation: [UInt8] = []
        if content["m.relates_to"] == nil, let own = outer["content"]?["m.relates_to"] {
            relation = #""m.relates_to":"#.utf8 + own.json + (content.firstKey == nil ? [] : [Byte.comma])
        }
        let start = #"{"type":"#.utf8 + type.json + #","unsigned":null,"content":{"#.utf8
        return start + relation + content.json.dropFirst() + [Byte.comma] + outer.json.dropFirst()
    }
}
