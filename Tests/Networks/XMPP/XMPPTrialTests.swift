import ChatModel
import Sessions
import TestSupport
import Testing
import XMPPWire

@testable import XMPP

/// `config check --connect` finds what a listener will find, and joins no room.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(1))))
struct XMPPTrialTests {
    private func findings(
        at server: FakeXMPPServer, password: String = "secret", _ change: (inout XMPPConfiguration) -> Void = { _ in }
    ) async -> [ConnectionFinding] {
        var configuration = XMPPConfiguration(
            account: JID(local: "me", domain: "example"), secrets: XMPPSecrets(password: password))
        configuration.rooms = [XMPPRoomWish(room: JID(local: "r", domain: "muc.example"), nick: "me")]
        change(&configuration)
        return await XMPPTrial.findings(
            configuration, at: [XMPPServer(host: "xmpp.example", port: 5222, connector: server)],
            clock: ContinuousClock())
    }

    @Test func `a room with an archive is found, and not joined`() async {
        let server = FakeXMPPServer()
        let found = await findings(at: server) { $0.archivesDirect = true }
        #expect(found.map(\.kind) == [.fact, .fact, .fact])
        #expect(
            found.map(\.text) == [
                "logged in as me@example", "the server archives conversations (XEP-0313)",
                "room r@muc.example: has an archive (XEP-0313)",
            ])
        #expect(server.state.value.joins == 0)
    }

    @Test func `a room that the account can't join is a failure`() async {
        let missing = await findings(at: FakeXMPPServer { $0.isMissing = true })
        #expect(missing.map(\.kind) == [.fact, .failure] && missing[1].text.contains("item-not-found"))
        let banned = await findings(at: FakeXMPPServer { $0.isForbidden = true })
        #expect(banned.map(\.kind) == [.fact, .failure] && banned[1].text.contains("banned from the room"))
        let others = await findings(
            at: FakeXMPPServer {
                $0.isForbidden = true
                $0.features += ["muc_membersonly"]
            })
        #expect(others.last?.kind == .failure && others.last?.text.contains("only members may join") == true)
        let locked = await findings(at: FakeXMPPServer { $0.features += ["muc_passwordprotected"] })
        #expect(locked.last?.kind == .failure && locked.last?.text.contains("room_passwords_file") == true)
    }

    @Test func `a room that keeps no archive is a warning`() async {
        let closed = await findings(
            at: FakeXMPPServer {
                $0.room.hasArchive = false
                $0.features += ["muc_membersonly", "muc_passwordprotected"]
            }
        ) { $0.rooms[0].password = "secret" }
        let words = "room r@muc.example: for members only, needs a password, keeps no archive (XEP-0313)"
        #expect(closed.last?.kind == .warning && closed.last?.text.hasPrefix(words) == true, "\(closed)")
    }

    @Test func `bookmarked rooms are asked, too`() async {
        let server = FakeXMPPServer { $0.bookmarks = ["r@muc.example"] }
        let found = await findings(at: server) { ($0.rooms, $0.joinsBookmarks) = ([], true) }
        #expect(found.last?.text == "room r@muc.example: has an archive (XEP-0313)")
        server.state.change { $0.bookmarks = nil }
        let refused = await findings(at: server) { ($0.rooms, $0.joinsBookmarks) = ([], true) }
        #expect(refused.last?.text == "the server does not say which rooms are bookmarked")
    }

    @Test func `a refused login, and a server that can't be reached, are failures`() async {
        let refused = await findings(at: FakeXMPPServer(), password: "wrong")
        #expect(refused.map(\.kind) == [.failure] && refused[0].text.contains("not-authorized"))
        let down = await findings(at: FakeXMPPServer { $0.isDown = true })
        #expect(down == [ConnectionFinding(.failure, "the server is down")])
    }
}
