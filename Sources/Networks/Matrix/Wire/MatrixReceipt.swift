import FoundationEssentials

/// The place up to which a person has read a room (client-server API v1.11, 10.11).
package struct MatrixReceipt: Sendable, Hashable {
    package var event: String
    /// When the person's client said so, in milliseconds since 1970; nil if the server does not give it.
    package var milliseconds: Int64?

    private struct Event: Decodable { var content: [String: [String: [String: Value]]] }
    private struct Value: Decodable {
        var ts: Int64?
        var thread_id: String?
    }

    /// Returns the latest receipt of a person; nil without one. Receipts of a thread say nothing about the room.
    package static func latest(in event: [UInt8], of user: String) -> MatrixReceipt? {
        guard let event = try? JSONDecoder().decode(Event.self, from: Data(event)) else { return nil }
        var latest: MatrixReceipt?
        for (id, kinds) in event.content {
            for kind in ["m.read", "m.read.private"] {
                guard let value = kinds[kind]?[user], value.thread_id == nil || value.thread_id == "main" else {
                    continue
                }
                if latest == nil || value.ts ?? 0 > latest?.milliseconds ?? 0 {
                    latest = MatrixReceipt(event: id, milliseconds: value.ts)
                }
            }
        }
        return latest
    }
}
