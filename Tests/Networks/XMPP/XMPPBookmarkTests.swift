import ChatModel
import Sessions
import TestSupport
import Testing
import XMPPWire

@testable import XMPP

/// The rooms of the account's bookmarks are joined and left as the bookmarks change.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct XMPPBookmarkTests {
    let archiving: XMPPArchiving

    init() throws { archiving = try XMPPArchiving() }

    private static func news(from: String = "me@example", node: String = XMPPNamespace.bookmarks) -> String {
        "<message from='\(from)' type='headline'><event xmlns='\(XMPPNamespace.pubSubEvents)'>"
            + "<items node='\(node)'><item id='r@muc.example'/></items></event></message>"
    }

    private func followingBookmarks(
        _ server: FakeXMPPServer, every check: Duration = .seconds(900), _ body: () async throws -> Void
    ) async throws {
        let questions = server.state.value.bookmarkQuestions
        try await archiving.listening(
            to: server, { ($0.rooms, $0.joinsBookmarks, $0.bookmarkCheck) = ([], true, check) }
        ) {
            await server.state.wait { $0.bookmarkQuestions > questions }
            server.state.change { $0.connections.last?.markJoined() }
            try await body()
        }
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [XMPPNamespace.bookmarks, XMPPNamespace.earlierBookmarks])
    func `a room is joined when its bookmark is added, and left when it is removed`(node: String) async throws {
        let server = FakeXMPPServer()
        try await followingBookmarks(server) {
            server.state.change { $0.bookmarks = ["r@muc.example"] }
            server.deliver(Self.news(node: node))
            await server.joined()
            server.say("hello")
            try await archiving.wait(for: "hello")
            server.state.change { $0.bookmarks = [] }
            server.deliver(Self.news(node: node))
            await server.state.wait { $0.leaves == 1 }
            server.say("unheard")
        }
        #expect(try archiving.texts() == ["hello"])
        #expect(try archiving.missing().isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a room is not left while the server does not say what the bookmarks are`() async throws {
        let server = FakeXMPPServer { $0.bookmarks = ["r@muc.example"] }
        try await followingBookmarks(server) {
            await server.joined()
            server.state.change { $0.bookmarks = nil }
            let questions = server.state.value.bookmarkQuestions
            server.deliver(Self.news())
            await server.state.wait { $0.bookmarkQuestions > questions }
            server.say("hello")
            try await archiving.wait(for: "hello")
        }
        #expect(server.state.value.leaves == 0)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `only the account's own server sends news of its bookmarks`() async throws {
        let server = FakeXMPPServer { $0.bookmarks = ["r@muc.example"] }
        try await followingBookmarks(server) {
            await server.joined()
            let questions = server.state.value.bookmarkQuestions
            server.deliver(Self.news(from: "mallory@example/x"))
            server.say("hello")
            try await archiving.wait(for: "hello")
            #expect(server.state.value.bookmarkQuestions == questions)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a room whose bookmark was removed while nobody listened is missing only until then`() async throws {
        let server = FakeXMPPServer { $0.bookmarks = ["r@muc.example"] }
        try await followingBookmarks(server) {
            await server.joined()
            server.say("hello")
            try await archiving.wait(for: "hello")
        }
        server.state.change { $0.bookmarks = [] }
        try await followingBookmarks(server) {
            try await eventually("the gap has an end") { () -> Bool? in
                try archiving.missing().allSatisfy { $0.to != nil } ? true : nil
            }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a change without news is found by a look from time to time`() async throws {
        let server = FakeXMPPServer { $0.bookmarks = ["r@muc.example"] }
        try await followingBookmarks(server, every: .milliseconds(50)) {
            await server.joined()
            server.state.change { $0.bookmarks = [] }
            await server.state.wait { $0.leaves == 1 }
        }
    }

    @Test(
        .disabled(if: QuickCheck.isRunning), arguments: ["me@example", "me@example/x", "example", "mallory@example/x"])
    func `only the account's own server learns which news the client wants`(from: String) async throws {
        let server = FakeXMPPServer()
        try await followingBookmarks(server) {
            server.deliver(
                "<iq type='get' id='d' from='\(from)'><query xmlns='\(XMPPNamespace.discoInfo)' node='n'/></iq>")
            await server.state.wait { state in state.answers.contains { $0["id"] == "d" } }
        }
        let answer = server.state.value.answers.first { $0["id"] == "d" }
        let features = DiscoInfo(try #require(answer)).features
        #expect(features.contains(XMPPNamespace.bookmarks + "+notify") == !from.hasPrefix("mallory"))
        #expect(answer?["to"] == from)
    }

    @Test func `a description has the digest of the specification's example`() {
        let description = ClientDescription(
            category: "client", type: "pc", name: "Exodus 0.9.1",
            features: [XMPPNamespace.muc, XMPPNamespace.discoInfo, XMPPNamespace.capabilities]
                + ["http://jabber.org/protocol/disco#items"])
        #expect(description.verification == "QgayPKawpkPSDYmwT/WM94uAlu0=")
    }
}
