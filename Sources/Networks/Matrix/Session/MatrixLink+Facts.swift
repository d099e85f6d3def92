import ChatModel
import LogFormats
import Logging
import MatrixWire
import Sessions

/// Keeps rooms' names and pictures right when people remove the events that gave them.
extension MatrixLink {
    /// Takes away the facts that removed events gave, and asks the server for facts that are unknown. An error changes
    /// nothing: the facts stay as they are known.
    ///
    /// - Parameter removed: The ids of the removed events.
    func completeFacts(of room: String, removed: Set<String>) async throws {
        let isComplete = mailbox.withSession { removed.isEmpty && $0.rooms[room]?.isNameless != true }
        guard !isComplete else { return }
        let at = now()
        let isUnknown = mailbox.withSession { $0.rooms.clear(factsOf: removed, in: room, me: me, at: at) }
        do {
            if isUnknown { try await requestFacts(of: room, at: at) }
            guard mailbox.withSession({ $0.rooms[room].map { $0.isNameless && !$0.hasAskedMembers } ?? false }) else {
                return
            }
            let members = try await client.members(of: room)
            mailbox.withSession { state in
                state.rooms.change(room) { known in
                    known.hasAskedMembers = true
                    known.heroes = Array(members.filter { $0 != me }.prefix(Self.mostNaming))
                }
            }
        } catch let error as CallError where error.code != .needsLogin {
            listener.tools.logger.info(
                "the server does not give a room's name", metadata: ["reason": "\(error.detail)"])
        }
    }

    /// The members that name a room without a name, as many as homeservers list.
    private static let mostNaming = 5

    /// Learns the room's present facts, with the events that give them.
    private func requestFacts(of room: String, at: Timestamp) async throws {
        for type in MatrixFact.requested {
            let event = try await client.state(type, of: room)
            guard case .success(let read) = MatrixReader.parse(event, nameOf: name) else { continue }
            mailbox.withSession { _ = $0.rooms.learn(read, in: room, me: me, at: at) }
        }
        mailbox.withSession { $0.rooms.change(room) { $0.hasAllFacts = true } }
    }
}
