import ChatModel
import TestSupport

@testable import Writing

extension AccountWriter {
    /// Messages from a workspace's history, which come after its lists. Their people and rooms have other names today.
    func backfill(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let session = try await openSession(at: ArchiveFixture.day.advanced(by: .seconds(20_000)))
        for round in 0..<5 {
            let now = ArchiveFixture.day.advanced(by: .seconds(20_000 + round * 1000))
            let room = RoomReference(key: "w1", name: "general \(round)", kind: .channel)
            _ = try await append(
                [.roomListed(RoomListing(room: room), at: now)]
                    + ["u1", "u2"].map { key in
                        .userListed(
                            UserListing(user: UserReference(key: key, name: "\(key) v\(round)"), picture: nil), at: now)
                    })
            for number in 0..<20 {
                let time = now.advanced(by: .seconds(-Int.random(in: 0...3000, using: &random)))
                let key = ["u1", "u2"][number % 2]
                _ = try await append([
                    .message(
                        IncomingMessage(
                            session: session, room: room, kind: .message,
                            sender: UserReference(key: key, name: "\(key) v\(round)"),
                            body: "coffee \(round) \(number)",
                            remoteID: "w\(round)x\(number)", sourceTime: time, receivedAt: now), .snapshot)
                ])
            }
        }
        let end = ArchiveFixture.day.advanced(by: .seconds(26_000))
        _ = try await append([
            .deleted(
                MessageDeletion(
                    session: session, room: RoomReference(key: "w1", name: "general 4", kind: .channel),
                    remoteID: "w1x1", receivedAt: end)),
            .sessionEnded(session: session, at: end, reason: .stopped, detail: nil),
        ])
    }
}
