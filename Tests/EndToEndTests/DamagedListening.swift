import Archive
import ChatModel
import Foundation
import Writing

@testable import Scrollback

/// What a listener asks of an account's file and stores there, all of it, where the file may be damaged.
struct DamagedListening {
    let folder: String

    /// - Throws: what opening the file says.
    func run() async throws {
        let writer = try await Archive(folder: folder).openWriter(
            AccountIdentity(name: "damaged", network: "streamchat"))
        await ask(writer)
        for batch in batches { await append(batch, to: writer) }
        try? await applyRules(to: writer)
        _ = try? await writer.status()
        try await writer.close()
    }

    private func ask(_ writer: AccountWriter) async {
        let lobby = DamagedArchive.lobby
        _ = try? await writer.lastReceipt()
        _ = try? await writer.knownNames(room: lobby, limit: 10)
        _ = try? await writer.completeUntil(room: lobby)
        _ = try? await writer.listedRooms()
        _ = try? await writer.channels()
        _ = try? await writer.expectedRooms(kind: .server)
        _ = try? await writer.partners()
        _ = try? await writer.historyStart(room: lobby, retriesLost: true)
        _ = try? await writer.firstSessionEnd()
        _ = try? await writer.unparsedChunks(limit: 10)
        _ = try? await writer.wantedAttachments(isRequestedOnly: false, at: .now(), limit: 10)
        _ = try? await writer.nextAttachmentTry()
        try? await writer.noteAttachment("/f.png", AttachmentFailure(.failed, detail: "no", nextTry: nil), at: .now())
    }

    private func applyRules(to writer: AccountWriter) async throws {
        let hour = RetentionAge(text: "1h", duration: .seconds(3600))
        let rules = RetentionRules(tables: [
            RetentionRules.Table(ages: Dictionary(uniqueKeysWithValues: RetentionPart.allCases.map { ($0, hour) }))
        ])
        let later = StoredRoom.start.advanced(by: .seconds(3602))
        var place: PurgePlace?
        repeat {
            place = try await writer.retention.purge(rules, from: place, at: later).next
        } while place != nil
    }

    /// Trouble of the store is waited out, which here is for ever.
    private func append(_ batch: [ChatEvent], to writer: AccountWriter) async {
        let task = Task { try await writer.append(batch) }
        let watch = Task {
            while !Task.isCancelled, writer.trouble == nil { try await Task.sleep(for: .milliseconds(1)) }
            task.cancel()
        }
        _ = await task.result
        watch.cancel()
    }

    private func at(_ seconds: Int) -> Timestamp { StoredRoom.start.advanced(by: .seconds(seconds)) }

    private func message(_ text: String, id: String?, at seconds: Int, session: SessionID? = nil) -> IncomingMessage {
        IncomingMessage(
            session: session, room: DamagedArchive.lobby, kind: .message,
            sender: UserReference(key: "alice", name: "alice"),
            body: text, remoteID: id, sourceTime: at(seconds), receivedAt: at(seconds), attachments: ["/f.png"])
    }

    private var batches: [[ChatEvent]] {
        let (lobby, session) = (DamagedArchive.lobby, SessionID(rawValue: 2))
        let bob = UserReference(key: "bob", name: "bob")
        return [
            [.sessionOpened(at: at(500))], [.roomLive(session: session, room: lobby, at: at(501))],
            [.message(message("new", id: "n1", at: 502, session: session))],
            [.message(message("late", id: "n2", at: 1))],
            [.message(message("edited", id: "m4", at: 503), .edit)],
            [.message(message("again", id: "m5", at: 5), .snapshot)],
            [.message(message("word 3 서버", id: nil, at: 3), .replay(Occurrence(), .second))],
            [.deleted(MessageDeletion(session: session, room: lobby, remoteID: "m6", receivedAt: at(504)))],
            [
                .reaction(
                    IncomingReaction(
                        session: session, room: lobby, target: "m7", sender: bob, text: "🎉", receivedAt: at(505)))
            ],
            [.chunk(JournalChunk(session: session, offset: 0, receivedAt: at(505), bytes: [65]))],
            [.parsed(session: session, upTo: 1)], [.signOfLife(session: session, at: at(506))],
            [.receiptOffset(session: session, ReceiptOffset())], [.networkClock(session: session, leadMicroseconds: 5)],
            [.covered(session: session, room: lobby, from: at(100), to: at(400))],
            [.withdrawn(WithdrawnCoverage(room: lobby, from: nil, to: at(450)))],
            [.fetchedBack(lobby, to: at(0))],
            [.unfilled(UnfilledHistory(room: lobby, from: at(20), to: at(600), reason: .refused), at: at(507))],
            [.roomTroubled(lobby, RoomTrouble(.banned, since: at(508)))],
            [
                .roomListed(
                    RoomListing(room: lobby, workspace: WorkspaceReference(key: "w", name: "x"), partner: bob),
                    at: at(509))
            ],
            [.userListed(UserListing(user: bob, picture: "/q.png"), at: at(510))],
            [.membersListed(lobby, [bob], at: at(511))],
            [.userRenamed(session: session, fromKey: "bob", to: UserReference(key: "rob", name: "rob"), at: at(512))],
            [
                .unreadable(
                    UnreadableEvent(
                        session: session, room: lobby, remoteID: "u", receivedAt: at(513), payload: [255],
                        reason: "no text"))
            ],
            [.roomSilent(session: session, room: lobby, at: at(514), reason: .lost)],
            [.waiting(attempts: 3, nextTry: at(600))], [.roomUncovered(lobby, at: at(515))],
            [.roomUnlisted(lobby, isGone: false, at: at(516))],
            [.sessionEnded(session: session, at: at(520), reason: .lost, detail: "why")],
        ]
    }
}
