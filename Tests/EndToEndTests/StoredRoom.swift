import Archive
import ChatModel
import TestSupport
import Writing

/// What is said in a room that was archived from 2026-11-21 00:00 UTC on.
struct StoredRoom {
    struct Said {
        var name: String
        var text: String?
        var kind = MessageKind.message
    }

    struct NoSession: Error {}

    static let start = Timestamp(microseconds: 1_795_219_200_000_000)

    /// Stores it as the account's `lobby`, a message a second.
    static func store(_ said: [Said], as account: String = "demo", for program: Program) async throws {
        try await write(said, as: account, for: program).close()
    }

    /// The same, with the writer still open.
    static func write(
        _ said: [Said], as account: String = "demo", for program: Program
    ) async throws -> AccountWriter {
        let writer = try await Archive(folder: program.data).openWriter(
            AccountIdentity(name: account, network: "streamchat"))
        let room = RoomReference(key: "", name: "lobby", kind: .server)
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: start)]).first else {
            throw NoSession()
        }
        let session = SessionID(rawValue: id)
        var events = [ChatEvent.roomLive(session: session, room: room, at: start)]
        for (index, one) in said.enumerated() {
            events.append(
                .message(
                    IncomingMessage(
                        session: session, room: room, kind: one.kind,
                        sender: UserReference(key: one.name, name: one.name), body: one.text, remoteID: nil,
                        sourceTime: nil, receivedAt: start.advanced(by: .seconds(index + 1)))))
        }
        _ = try await writer.append(events)
        return writer
    }

    /// Another connection of the writer's, an hour later.
    static func openSession(_ writer: AccountWriter) async throws -> SessionID {
        guard
            case .new(let id)? = try await writer.append([.sessionOpened(at: start.advanced(by: .seconds(3600)))]).first
        else { throw NoSession() }
        return SessionID(rawValue: id)
    }

    /// Said so many milliseconds after the beginning.
    static func said(_ text: String, by name: String, in session: SessionID, after milliseconds: Int) -> ChatEvent {
        .message(
            IncomingMessage(
                session: session, room: RoomReference(key: "", name: "lobby", kind: .server), kind: .message,
                sender: UserReference(key: name, name: name), body: text, remoteID: nil, sourceTime: nil,
                receivedAt: start.advanced(by: .milliseconds(milliseconds))))
    }
}
