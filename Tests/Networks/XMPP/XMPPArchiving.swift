import Archive
import ChatModel
import Checks
import Foundation
import Logging
import Reading
import Sessions
import TestSupport
import Testing
import Writing
import XMPPWire

@testable import XMPP

/// An XMPP account, and the archive that a listener fills from it.
final class XMPPArchiving: Sendable {
    let archive: Archive
    let reports = Watched<[ListenerReport]>([])
    private let folder: TemporaryFolder
    private let account = AccountIdentity(name: "xmpp", network: "xmpp")

    init() throws {
        folder = try TemporaryFolder()
        archive = Archive(
            folder: folder.path + "/data", logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Runs the listener beside `body`, and stops it after that. What is stored then has no fault.
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
        let writer = try await archive.openWriter(account)
        let listener = XMPPListener(
            configuration, servers: { servers },
            tools: ListenerTools(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        let (inputs, input) = AsyncStream<ListenerInput>.makeStream()
        input.yield(.start)
        let result = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [reports] in
                await listener.run(inputs: inputs, into: writer, state: writer) { report in
                    reports.change { $0.append(report) }
                }
            }
            defer { input.yield(.stop) }
            return try await body()
        }
        try await writer.close()
        let check = try archive.check()
        #expect(check.map(\.state) == [.fine], "\(check)")
        return result
    }

    /// Returns the messages of all rooms in order of time, without joins and the like.
    func messages() throws -> [Message] {
        let reading = archive.reading()
        var (all, anchor): ([Message], MessageQuery.Anchor) = ([], .oldest)
        while true {
            let page = try reading.page(try MessageQuery(scope: .accounts(["xmpp"]), anchor: anchor, limit: 1000))
            all += page.messages
            guard let newer = page.newer else { return all }
            anchor = .after(newer)
        }
    }

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

    func rooms() throws -> [Room] { try archive.reading().roomList() }

    /// Returns the times that are missing and have an end.
    func gaps() throws -> [Gap] {
        try archive.reading().gaps(scope: .accounts(["xmpp"])).filter { $0.state.isMissing && $0.to != nil }
    }
}
