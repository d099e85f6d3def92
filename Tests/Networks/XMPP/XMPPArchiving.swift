import Archive
import ChatModel
import Reading
import ScriptedSessions
import Sessions
import TestSupport
import Writing
import XMPPWire

@testable import XMPP

/// An XMPP account, and the archive that a listener fills from it.
final class XMPPArchiving: Sendable {
    private let listened: ListenedArchive
    var archive: Archive { listened.archive }
    var reports: Watched<[ListenerReport]> { listened.reports }

    private let clock: any Clock<Duration>

    init(clock: any Clock<Duration> = ContinuousClock()) throws {
        self.clock = clock
        listened = try ListenedArchive(account: "xmpp", network: "xmpp")
    }

    /// Runs the listener beside `body`, stops it after that, and checks the archive.
    @discardableResult
    func listening<Result>(
        to server: FakeXMPPServer, _ change: (inout XMPPConfiguration) -> Void = { _ in },
        _ body: () async throws -> Result
    ) async throws -> Result {
        try await listening(
            to: [XMPPServer(host: "xmpp.example", port: 5222, connector: server)],
            secrets: XMPPSecrets(password: "secret"), change, body)
    }

    /// Runs the listener at one of the servers.
    @discardableResult
    func listening<Result>(
        to servers: [XMPPServer], secrets: XMPPSecrets, _ change: (inout XMPPConfiguration) -> Void,
        _ body: () async throws -> Result
    ) async throws -> Result {
        var configuration = XMPPConfiguration(account: JID(local: "me", domain: "example"), secrets: secrets)
        configuration.rooms = [XMPPRoomWish(room: JID(local: "r", domain: "muc.example"), nick: "me")]
        configuration.backoff = Backoff.Limits(first: .milliseconds(10), longest: .milliseconds(100))
        configuration.rejoin = configuration.backoff
        (configuration.historyPause, configuration.signOfLifeInterval) = (.zero, .milliseconds(50))
        configuration.horizon = nil
        change(&configuration)
        return try await listened.listening(
            clock: clock,
            by: { _, tools in
                XMPPListener(configuration, servers: { servers }, tools: tools)
            }
        ) { _ in
            try await body()
        }
    }

    /// Returns the messages of all rooms in order of time, without joins and the like.
    func messages() throws -> [Message] { try listened.messages() }

    /// The texts of what people said, in order of time.
    func texts() throws -> [String] {
        try messages().filter { [.message, .action].contains($0.kind) }.compactMap(\.body)
    }

    /// Waits until a message has this text.
    func wait(for text: String) async throws {
        try await wait("\"\(text)\" is stored") { $0.contains { $0.body == text } }
    }

    /// Waits until the messages of all rooms meet a condition.
    func wait(_ what: String, until isMet: @escaping ([Message]) -> Bool) async throws {
        try await eventually(what, state: { self.reports.value.last.map { "\($0)" } ?? "" }) { () -> Bool? in
            (try? isMet(self.messages())) ?? false ? true : nil
        }
    }

    /// Waits until the closed gaps are these many.
    func wait(gaps count: Int) async throws {
        try await eventually("\(count) gaps", state: { "\((try? self.gaps()) ?? [])" }) { () -> Bool? in
            (try? self.gaps().count) == count ? true : nil
        }
    }

    /// Waits until a closed gap has this reason why it can't be filled.
    func wait(gapReason reason: String) async throws {
        try await eventually("a gap because of \(reason)", state: { "\((try? self.gaps()) ?? [])" }) { () -> Bool? in
            ((try? self.gaps()) ?? []).contains { $0.missing?.unfilled == reason } ? true : nil
        }
    }

    /// Imports messages of clients, as into a live account.
    func importMessages(_ messages: [ImportedMessage]) async throws -> ImportTally {
        let writer = try await listened.openWriter()
        var messages = messages
        for index in messages.indices { messages[index].identifyByServer() }
        let tally = try await writer.importLines(messages.map { .message($0) }, at: .now())
        try await writer.close()
        return tally
    }

    func rooms() throws -> [Room] { try archive.reading().roomList() }

    /// Returns the times that are missing, also those that last.
    func missing() throws -> [Gap] {
        try archive.reading().gaps(scope: .accounts(["xmpp"])).filter(\.state.isMissing)
    }

    /// Returns the times that are missing and have an end.
    func gaps() throws -> [Gap] {
        try listened.gaps().filter { $0.state.isMissing && $0.to != nil }
    }
}
