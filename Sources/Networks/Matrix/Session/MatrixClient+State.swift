import Bytes
import FoundationEssentials
import MatrixWire
import Sessions

/// Calls for the present state of a room (client-server API v1.11, 10.5).
extension MatrixClient {
    /// Returns the state event of a type with an empty key. A room without one, or a server that gives only the content, gets
    /// an event without a sender and a time.
    ///
    /// - Throws: ``CallError``, `CancellationError`.
    func state(_ type: String, of room: String) async throws -> MatrixSync.Event {
        let path = "/v3/rooms/\(PercentCode.encode(room))/state/\(PercentCode.encode(type))"
        var bytes = Array("{}".utf8)
        do {
            let call = Call(path: path, query: [("format", "event")])
            bytes = try await readAnswer(call, into: { [UInt8]() }) { $0 += $1 }
        } catch let error as CallError where error.code == .gone {}
        if (try? JSONDecoder().decode(Whole.self, from: Data(bytes))) == nil {
            let start = #"{"type":"\#(type)","state_key":"","event_id":"$","sender":"@","origin_server_ts":0"#
            bytes = Array("\(start),\"content\":".utf8) + bytes + Array("}".utf8)
        }
        return MatrixSync.Event(bytes: bytes, length: bytes.count)
    }

    private struct Whole: Decodable { var event_id: String }
    private struct Members: Decodable {
        struct Member: Decodable {}
        var joined: [String: Member]
    }

    /// Returns the ids of the people in a room, sorted.
    ///
    /// - Throws: ``CallError``, also for a room with thousands of members.
    func members(of room: String) async throws -> [String] {
        let call = Call(path: "/v3/rooms/\(PercentCode.encode(room))/joined_members")
        return try await value(call, Members.self).joined.keys.sorted()
    }
}
