import Archive
import ChatModel
import Testing

@testable import Reading
@testable import Writing

@Suite struct UserTests {
    private let other = RoomReference(key: "#x", name: "#x", kind: .channel)

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    @Test func `users have every name with its time`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("a", at: 10, by: "al", in: session), .said("b", at: 20, by: "bob", in: session),
            .userRenamed(
                session: session, fromKey: "al", to: UserReference(key: "ally", name: "ally"), at: at(30)),
            .userRenamed(
                session: session, fromKey: "ally", to: UserReference(key: "alice", name: "alice", isSelf: true),
                at: at(40)),
        ])
        try await writer.close()
        let users = try fixture.archive.reading().users(scope: .accounts(["demo"]))
        #expect(
            users == [
                User(
                    account: "demo", id: 1,
                    names: [
                        User.Name(name: "al", firstSeen: at(10), lastSeen: at(30)),
                        User.Name(name: "ally", firstSeen: at(30), lastSeen: at(40)),
                        User.Name(name: "alice", firstSeen: at(40), lastSeen: nil),
                    ], isSelf: true),
                User(
                    account: "demo", id: 2, names: [User.Name(name: "bob", firstSeen: at(20), lastSeen: nil)],
                    isSelf: false),
            ])
    }

    @Test func `the users of a room are its members, with the times of joining and leaving`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let nothing: String? = nil
        func event(_ kind: MessageKind, _ name: String, _ offset: Int64, _ room: RoomReference) -> ChatEvent {
            .message(
                IncomingMessage(
                    session: session, room: room, kind: kind, sender: UserReference(key: name, name: name),
                    body: nothing, receivedAt: at(offset)))
        }
        _ = try await writer.append([
            event(.join, "alice", 10, ArchiveFixture.lobby), event(.join, "bob", 20, ArchiveFixture.lobby),
            event(.leave, "bob", 30, ArchiveFixture.lobby), event(.leave, "carol", 40, ArchiveFixture.lobby),
            event(.join, "dave", 50, other),
        ])
        try await writer.close()
        let users = try fixture.archive.reading().users(scope: .room(account: "demo", id: 1))
        #expect(users.map(\.name) == ["alice", "bob", "carol"])
        #expect(users.allSatisfy { $0.membership?.room == "lobby" })
        #expect(users.map(\.membership?.joinedAt) == [at(10), at(20), nil])
        #expect(users.map(\.membership?.leftAt) == [nil, at(30), at(40)])
        #expect(try fixture.archive.reading().users(scope: .room(account: "demo", id: 2)).map(\.name) == ["dave"])
    }

    @Test func `users of several accounts are sorted by account`() async throws {
        let fixture = try ArchiveFixture()
        for (account, name) in [("b", "zoe"), ("a", "민수")] {
            let writer = try await fixture.openWriter(account)
            let session = try await writer.openSession()
            _ = try await writer.append([.said("hi", at: 10, by: name, in: session)])
            try await writer.close()
        }
        let users = try fixture.archive.reading().users(scope: .accounts(["a", "b"]))
        #expect(users.map { "\($0.account)/\($0.name)" } == ["a/민수", "b/zoe"])
    }
}
