import ChatModel
import Foundation
import NIOPosix
import Sessions
import TestSupport
import Testing
import XMPPWire

@testable import XMPP

/// The listener at real servers, with the configurations of which Debian's packages have the modules.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct XMPPServerTests {
    let archiving: XMPPArchiving

    init() throws { archiving = try XMPPArchiving() }

    private func listening<Result>(
        to server: JabberServer, tls: TLSOptions? = nil, isDirect: Bool = false, _ body: () async throws -> Result
    ) async throws {
        var upgrade: (@Sendable () -> any UpgradeDialogue)?
        if tls != nil { upgrade = { StartTLS(domain: "localhost") } }
        let connector = TCPConnector(
            group: .singletonMultiThreadedEventLoopGroup, tls: tls, certified: "localhost", upgrade: upgrade)
        try await archiving.listening(
            to: [XMPPServer(host: "127.0.0.1", port: server.port, connector: connector)],
            secrets: XMPPSecrets(password: JabberServer.password),
            { configuration in
                configuration.account = JID(local: "me", domain: "localhost")
                configuration.isPrivate = tls != nil
                configuration.archivesDirect = isDirect
                configuration.rooms = [
                    XMPPRoomWish(room: JID(local: "lounge", domain: server.kind.rooms), nick: "archiver")
                ]
            }
        ) { _ = try await body() }
    }

    private func texts(_ count: Int) -> [String] { (1...count).map { "missed \($0)" } }

    /// Archives a message live, lets 120 others pass, and fetches them.
    private func missAndFetch(_ kind: JabberServer.Kind, restarts: Bool) async throws {
        var server = try await JabberServer.start(kind)
        var alice = try await JabberTalker(to: server, room: "lounge@\(kind.rooms)")
        try await listening(to: server) {
            try await eventually("the room is live") { () -> Bool? in
                try archiving.rooms().first?.coveredFrom != nil ? true : nil
            }
            try await alice.say("before")
            try await archiving.wait(for: "before")
        }
        for text in texts(120) { try await alice.say(text) }
        if restarts {
            // Mnesia writes its last second later.
            try await alice.say("last")
            try await server.kill()
            server = try await JabberServer.start(kind, after: server)
            alice = try await JabberTalker(to: server, room: "lounge@\(kind.rooms)")
        }
        try await listening(to: server) {
            try await archiving.wait(for: "missed 1")
            try await alice.say("live")
            try await archiving.wait(for: "live")
            try await archiving.wait(gaps: 0)
        }
        let found = try archiving.texts().filter { $0.hasPrefix("missed") }
        #expect(found == Array(texts(120).prefix(found.count)))
        #expect(restarts || found.count == 120)
    }

    @Test(
        .enabled(if: JabberServer.Kind.prosodySQLite.isAvailable, "needs prosody, which .ci/fetch-tools fetches"),
        arguments: [JabberServer.Kind.prosody, .prosodySQLite], [false, true])
    func `Prosody's archive fills what was missed, also after it was killed`(
        kind: JabberServer.Kind, restarts: Bool
    ) async throws {
        try await missAndFetch(kind, restarts: restarts)
    }

    @Test(
        .enabled(if: JabberServer.Kind.ejabberdSQLite.isAvailable, "needs ejabberd, which .ci/fetch-tools fetches"),
        arguments: [JabberServer.Kind.ejabberd, .ejabberdSQLite])
    func `ejabberd's archive fills what was missed`(kind: JabberServer.Kind) async throws {
        try await missAndFetch(kind, restarts: false)
    }

    @Test(
        .enabled(if: JabberServer.Kind.prosody.isAvailable, "needs prosody, which .ci/fetch-tools fetches"),
        .enabled(if: Certificate.isAvailable, "needs openssl"))
    func `Prosody is reached by STARTTLS, and not with a certificate for another name`() async throws {
        let authority = try await CertificateAuthority()
        let pem = try #require(FileManager.default.contents(atPath: authority.file))
        var tls = TLSOptions()
        tls.configuration.trust(try #require(TrustedAuthorities(pem: Array(pem))))
        let server = try await JabberServer.start(.prosody, certificate: authority.issue(["DNS:localhost"]))
        let alice = try await JabberTalker(to: server, room: "lounge@rooms.localhost")
        try await alice.say("hello")
        try await listening(to: server, tls: tls) { try await archiving.wait(for: "hello") }
        let other = try await JabberServer.start(.prosody, certificate: authority.issue(["DNS:other.example"]))
        try await listening(to: other, tls: tls) {
            await archiving.reports.wait { $0.contains { $0.lastError?.contains("certificate") == true } }
        }
    }

    @Test(
        .enabled(if: JabberServer.Kind.allCases.allSatisfy(\.isAvailable), "needs prosody and ejabberd"),
        arguments: JabberServer.Kind.allCases)
    func `a conversation is archived, also what came while nobody listened`(kind: JabberServer.Kind) async throws {
        let server = try await JabberServer.start(kind)
        let alice = try await JabberTalker(to: server, room: "lounge@\(kind.rooms)")
        try alice.tell("first")
        try await listening(to: server, isDirect: true) { try await archiving.wait(for: "first") }
        try alice.tell("second")
        try await listening(to: server, isDirect: true) { try await archiving.wait(for: "second") }
        let found = try archiving.messages().filter { $0.room == "alice@localhost" }
        #expect(found.map(\.body) == ["first", "second"])
    }
}
