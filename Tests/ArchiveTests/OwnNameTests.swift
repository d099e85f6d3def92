import Archive
import ChatModel
import SearchText
import Testing

@testable import Checks
@testable import Reading
@testable import Writing

/// The names and ids of the account's own person that its owner gives.
@Suite struct OwnNameTests {
    private let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    private func own(in account: String = "demo") async throws -> [String] {
        try fixture.archive.reading().users(scope: .accounts([account])).filter(\.isSelf).map(\.name).sorted()
    }

    private func openWriter(_ network: String) async throws -> AccountWriter {
        try await fixture.archive.openWriter(AccountIdentity(name: "demo", network: network))
    }

    private func said(
        _ body: String, by user: UserReference, at offset: Int64, in session: SessionID
    ) -> ChatEvent {
        .message(
            IncomingMessage(
                session: session, room: ArchiveFixture.lobby, kind: .message, sender: user, body: body,
                receivedAt: ArchiveFixture.day.advanced(byMicroseconds: offset)))
    }

    private func at(_ offset: Int64) -> Timestamp { ArchiveFixture.day.advanced(byMicroseconds: offset) }

    @Test func `stored and later messages under an own name are the owner's`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("a", at: 10, by: "alice", in: session), .said("b", at: 20, by: "bob", in: session),
        ])
        try await writer.setOwnNames(["alice", "alice_"], from: .configuration)
        _ = try await writer.append([
            .said("c", at: 30, by: "alice_", in: session), .said("d", at: 40, by: "bob", in: session),
        ])
        #expect(try await own() == ["alice", "alice_"])
        let page = try fixture.archive.reading().page(try fixture.query())
        #expect(page.messages.map { $0.sender?.isSelf } == [true, false, true, false])
        try await writer.setOwnNames(["alice_"], from: .configuration)
        #expect(try await own() == ["alice_"])
        try await writer.close()
    }

    @Test func `from:me finds the owner's messages, unless a person has that name`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("a", at: 10, by: "alice", in: session), .said("b", at: 20, by: "bob", in: session),
        ])
        func found(_ text: String) async throws -> [String] {
            try fixture.archive.reading().page(
                fixture.query(), matching: SearchScope(query: SearchQuery(parsing: text))
            ).bodies
        }
        let scope = MessageQuery.Scope.accounts(["demo"])
        #expect(try await found("from:me") == [])
        #expect(try fixture.archive.reading().search.hasOwnPerson(scope) == false)
        try await writer.setOwnNames(["alice"], from: .command)
        #expect(try fixture.archive.reading().search.hasOwnPerson(scope) == true)
        for (text, bodies) in [("from:me", ["a"]), ("from:ME a", ["a"]), ("-from:me", ["b"]), ("from:me*", [])] {
            #expect(try await found(text) == bodies, "\(text)")
        }
        _ = try await writer.append([.said("c", at: 30, by: "Me", in: session)])
        #expect(try await found("from:me") == ["c"])
        try await writer.close()
    }

    @Test func `removing an own name keeps the network's and the other list's names`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let archiver = UserReference(key: "archiver", name: "archiver", isSelf: true)
        _ = try await writer.append([
            said("hi", by: archiver, at: 10, in: session), .said("a", at: 20, by: "alice", in: session),
            .said("b", at: 30, by: "bob", in: session),
        ])
        try await writer.setOwnNames(["alice", "archiver", "bob"], from: .configuration)
        try await writer.setOwnNames(["bob"], from: .command)
        #expect(try await own() == ["alice", "archiver", "bob"])
        try await writer.setOwnNames([], from: .configuration)
        #expect(try await own() == ["archiver", "bob"])
        try await writer.setOwnNames([], from: .command)
        #expect(try await own() == ["archiver"])
        _ = try await writer.append([said("ho", by: archiver, at: 40, in: session)])
        #expect(try await own() == ["archiver"])
        try await writer.close()
    }

    @Test func `an own name on IRC ignores case and follows its holder`() async throws {
        let writer = try await openWriter("irc")
        let session = try await writer.openSession()
        try await writer.setOwnNames(["Alice[m]"], from: .configuration)
        let bob = UserReference(key: "bob", name: "bob")
        _ = try await writer.append([said("hi", by: bob, at: 10, in: session)])
        #expect(try await own() == [])
        let alice = UserReference(key: "alice{m}", name: "alice[m]")
        _ = try await writer.append([.userRenamed(session: session, fromKey: "bob", to: alice, at: at(20))])
        #expect(try await own() == ["alice[m]"])
        _ = try await writer.append([.userRenamed(session: session, fromKey: "alice{m}", to: bob, at: at(30))])
        #expect(try await own() == [])
        try await writer.close()
    }

    @Test func `own names on Matrix are ids, because display names are free`() async throws {
        let writer = try await openWriter("matrix")
        let session = try await writer.openSession()
        _ = try await writer.append([
            said("a", by: UserReference(key: "@alice:example.org", name: "alice"), at: 10, in: session),
            said("b", by: UserReference(key: "@mallory:example.org", name: "zia"), at: 20, in: session),
        ])
        try await writer.setOwnNames(["@alice:example.org", "zia"], from: .configuration)
        #expect(try await own() == ["alice"])
        try await writer.close()
    }

    @Test func `a person who takes over an own name is the owner until the merge is undone`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("a", at: 10, by: "alice_", in: session), .said("b", at: 20, by: "alice", in: session),
        ])
        try await writer.setOwnNames(["alice_"], from: .command)
        let (from, into) = (
            try #require(try fixture.value("SELECT id FROM user WHERE key = 'alice_'") as Int64?),
            try #require(try fixture.value("SELECT id FROM user WHERE key = 'alice'") as Int64?)
        )
        for request in [
            Merging(.people, from: from, into: into), Merging(.people, from: from, into: into, undoes: true),
        ] {
            var place: MergingPlace?
            repeat { place = try await writer.merge(request, from: place, at: at(100)).next } while place != nil
            #expect(try await own() == [request.undoes ? "alice_" : "alice"])
        }
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
    }

    @Test func `setting the same own names writes nothing`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("a", at: 10, by: "alice", in: session)])
        try await writer.setOwnNames(["alice"], from: .configuration)
        let changes: Int64? = try fixture.value("SELECT max(seq) FROM change")
        try await writer.setOwnNames(["alice"], from: .configuration)
        #expect(try fixture.value("SELECT max(seq) FROM change") == changes)
        try await writer.close()
    }
}
