import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Archive
@testable import Files
@testable import Reading
@testable import Writing

/// Bridges beside edits, renames, imports, merges, forgetting and erasing.
@Suite struct BridgesAndOtherChangesTests {
    let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    static let other = RoomReference(key: "#other", name: "#other", kind: .channel)

    func open() async throws -> (writer: AccountWriter, session: SessionID) {
        let writer = try await fixture.openWriter()
        return (writer, try await writer.openSession())
    }

    func refusal(_ body: () async throws -> Void) async -> ArchiveError? {
        await #expect(throws: ArchiveError.self) { try await body() }
    }

    func forget(_ user: Int64, by writer: AccountWriter) async throws {
        var place: ForgettingPlace?
        repeat {
            let request = Forgetting(.user(user), redacts: false, alsoNew: false)
            place = try await writer.retention.forget(request, from: place, at: ArchiveFixture.at(20)).next
        } while place != nil
    }

    func erase(_ room: Int64, by writer: AccountWriter) async throws {
        var place: ErasingPlace?
        repeat {
            place = try await writer.retention.erase(room: room, from: place, at: ArchiveFixture.at(20)).next
        } while place != nil
    }

    private func line(
        _ sender: String, _ body: String, at second: Int, key: String? = nil
    ) -> ImportedMessage {
        ImportedMessage(
            room: "lobby", kind: .message, sender: sender, senderKey: key, body: body, time: ArchiveFixture.at(second),
            resolution: .second)
    }

    // MARK: Senders

    @Test func `an edit changes the text and never the author, whatever its form`() async throws {
        let (writer, session) = try await open()
        _ = try await writer.append([
            .said("<alice> hi", id: "m1", at: 10, by: "relay", in: session),
            .said("restarting", id: "m2", at: 20, by: "relay", in: session),
        ])
        try await fixture.bridge(try fixture.bridging(), by: writer)
        _ = try await writer.append([
            .said("no form", id: "m1", at: 10, edit: 30, by: "relay", in: session, isLive: true),
            .said("<bob> hi", id: "m2", at: 20, edit: 40, by: "relay", in: session, isLive: true),
        ])
        #expect(try await fixture.shown() == ["alice⇄relay: no form", "relay: <bob> hi"])
        _ = try await writer.append([
            .said("<alice> hello", id: "m1", at: 10, edit: 50, by: "relay", in: session, isLive: true)
        ])
        let id = try #require(try await fixture.messages().first?.id)
        guard case .found(let detail) = try fixture.archive.reading().message(id) else {
            Issue.record("the message is not found")
            return
        }
        #expect(detail.versions.map(\.body) == ["hi", "no form", "hello"])
        try await fixture.expectSound()
        try await writer.close()
    }

    @Test func `a bridge recognises its bot by earlier names and after a rename`() async throws {
        let account = AccountIdentity(name: "demo", network: "irc")
        let writer = try await fixture.archive.openWriter(account)
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("<alice> before", at: 10_000_000, by: "relay_", in: session),
            .userRenamed(
                session: session, fromKey: "relay_", to: UserReference(key: "relay", name: "relay"),
                at: ArchiveFixture.at(15)),
            .said("<alice> after", at: 20_000_000, by: "relay", in: session),
        ])
        try await fixture.bridge(try fixture.bridging(), by: writer)
        _ = try await writer.append([
            .userRenamed(
                session: session, fromKey: "relay", to: UserReference(key: "relay2", name: "relay2"),
                at: ArchiveFixture.at(25)),
            .said("<alice> later", at: 30_000_000, by: "relay2", in: session),
        ])
        #expect(try await fixture.shown() == ["alice⇄relay: before", "alice⇄relay: after", "alice⇄relay: later"])
        try await writer.close()
        let lines = fixture.source([
            line("relay_", "<alice> before", at: 10), line("relay", "<alice> after", at: 20),
            line("relay2", "<alice> later", at: 30),
        ])
        #expect(try await fixture.archive.rehearseImport(into: "demo").add(lines) == ImportTally(known: 3))
        #expect(try await fixture.store(lines, into: account) == ImportTally(known: 3))
        try await fixture.expectSound()
    }

    @Test func `two bots with the same name have separate people, who return to their own bot`() async throws {
        let (writer, session) = try await open()
        func said(_ body: String, at offset: Int64, key: String) -> ChatEvent {
            .message(
                IncomingMessage(
                    session: session, room: ArchiveFixture.lobby, kind: .message,
                    sender: UserReference(key: key, name: "relay"), body: body,
                    receivedAt: ArchiveFixture.day.advanced(byMicroseconds: offset)))
        }
        _ = try await writer.append([said("<alice> one", at: 10, key: "b1"), said("<alice> two", at: 20, key: "b2")])
        let before = try await fixture.messages().map(\.sender?.id)
        let pattern = try BridgePattern(ArchiveFixture.bridgePattern)
        let bots = try ["b1", "b2"].map { Bridging(bot: try fixture.user($0), name: "relay", pattern: pattern) }
        for bot in bots { #expect(try await fixture.bridge(bot, by: writer) == 1) }
        #expect(try await fixture.shown() == ["alice⇄relay: one", "alice⇄relay (\(bots[1].bot)): two"])
        for var bot in bots {
            bot.undoes = true
            #expect(try await fixture.bridge(bot, by: writer) == 1)
        }
        #expect(try await fixture.messages().map(\.sender?.id) == before)
        try await fixture.expectSound()
        try await writer.close()
    }

    @Test func `a bot's name can contain the separator of keys`() async throws {
        let (writer, session) = try await open()
        _ = try await writer.append([.said("<alice> hi", at: 10, by: "re\u{1F}lay", in: session)])
        try await fixture.bridge(try fixture.bridging(bot: "re\u{1F}lay"), by: writer)
        #expect(try await fixture.shown() == ["alice⇄re\u{FFFD}lay: hi"])
        #expect(try await fixture.bridge(try fixture.bridging(undoes: true, bot: "re\u{1F}lay"), by: writer) == 1)
        try await writer.close()
    }

    @Test func `a bridge that another command undid meanwhile is not continued`() async throws {
        let (writer, session) = try await open()
        _ = try await writer.append([.said("<alice> hi", at: 10, by: "relay", in: session)])
        let place = try await writer.bridge(try fixture.bridging(), at: ArchiveFixture.at(1)).next
        try await fixture.bridge(try fixture.bridging(undoes: true), by: writer)
        let error = await refusal {
            _ = try await writer.bridge(try fixture.bridging(), from: place, at: ArchiveFixture.at(1))
        }
        #expect(error?.detail.contains("made or undone the bridge meanwhile") == true)
        #expect(try await fixture.shown() == ["relay: <alice> hi"])
        try await writer.close()
    }

    @Test func `a bridge says whether it is finished`() async throws {
        let (writer, session) = try await open()
        _ = try await writer.append([.said("<alice> hi", at: 10, by: "relay", in: session)])
        func states() async throws -> [Bridge.State] {
            try fixture.archive.reading().merging.bridges(of: "demo").map(\.state)
        }
        try await fixture.bridge(try fixture.bridging(), by: writer, steps: 1)
        #expect(try await states() == [.unfinished])
        try await fixture.bridge(try fixture.bridging(), by: writer)
        #expect(try await states() == [.done])
        try await fixture.bridge(try fixture.bridging(undoes: true), by: writer, steps: 1)
        #expect(try await states() == [.undoing])
        try await writer.close()
    }

    @Test func `a bridge's bot is not merged into another person`() async throws {
        let (writer, session) = try await open()
        _ = try await writer.append([
            .said("<alice> hi", at: 10, by: "relay", in: session), .said("hi", at: 20, by: "relay2", in: session),
        ])
        try await fixture.bridge(try fixture.bridging(), by: writer)
        let merging = Merging(.people, from: try fixture.user("relay"), into: try fixture.user("relay2"))
        let error = await refusal { _ = try await writer.merge(merging, at: ArchiveFixture.at(1)) }
        #expect(error?.detail.contains("is its bot") == true)
        try await writer.close()
    }

    @Test func `the list of users shows who writes through a bridge`() async throws {
        let (writer, session) = try await open()
        _ = try await writer.append([
            .said("<alice> hi", at: 10, by: "relay", in: session), .said("hi", at: 20, by: "alice", in: session),
        ])
        try await fixture.bridge(try fixture.bridging(), by: writer)
        let users = try fixture.archive.reading().users(scope: .accounts(["demo"]))
        #expect(users.map { "\($0.name) \($0.via ?? "-")" }.sorted() == ["alice -", "alice relay", "relay -"])
        try await writer.close()
    }

    @Test func `a bridged person with an own name is not the account's owner`() async throws {
        let (writer, session) = try await open()
        try await writer.setOwnNames(["alice", "carol"], from: .command)
        _ = try await writer.append([
            .said("<alice> hi", at: 10, by: "relay", in: session), .said("hi", at: 20, by: "alice", in: session),
        ])
        try await fixture.bridge(try fixture.bridging(), by: writer)
        try await writer.setOwnNames(["alice"], from: .command)
        _ = try await writer.append([.said("<alice> again", at: 30, by: "relay", in: session)])
        #expect(try await fixture.messages().map { $0.sender?.isSelf } == [false, true, false])
        try await writer.close()
    }

    // MARK: Imports

    @Test func `importing an export from before a bridge was undone adds nothing`() async throws {
        let (writer, session) = try await open()
        _ = try await writer.append([
            .said("<alice> hi", at: 10, by: "relay", in: session),
            .said("<alice> again", id: "m2", at: 20, by: "relay", in: session),
            .said("<bob> hi", at: 30, by: "relay", in: session),
        ])
        try await fixture.bridge(try fixture.bridging(), by: writer)
        try await writer.close()
        let lines = try await fixture.export()
        let again = try await fixture.openWriter()
        try await fixture.bridge(try fixture.bridging(undoes: true), by: again)
        try await again.close()
        let rehearsed = try await fixture.archive.rehearseImport(into: "demo").add(lines)
        let tally = try await fixture.store(lines, into: ArchiveFixture.account)
        #expect(rehearsed.new == 0 && tally.new == 0 && tally.known == 3, "\(rehearsed) \(tally)")
        #expect(
            try await fixture.shown() == ["relay: <alice> hi", "relay: <alice> again", "relay: <bob> hi"])
        try await fixture.expectSound()
    }

    @Test func `bridged people don't have the bot's picture`() async throws {
        let account = AccountIdentity(name: "demo", network: "log")
        func message(_ body: String, at second: Int) -> ImportedMessage {
            var message = line("relay", body, at: second, key: "7")
            message.facts = ImportedFacts(picture: ImportedMessage.File(path: "/relay.png"))
            return message
        }
        _ = try await fixture.store(fixture.source([message("<alice> hi", at: 1)]), into: account)
        let writer = try await fixture.archive.openWriter(account)
        let bot = Bridging(
            bot: try fixture.user("7"), name: "relay", pattern: try BridgePattern(ArchiveFixture.bridgePattern))
        try await fixture.bridge(bot, by: writer)
        try await writer.close()
        _ = try await fixture.store(fixture.source([message("<bob> hi", at: 2), message("up", at: 3)]), into: account)
        #expect(try await fixture.shown() == ["alice⇄relay: hi", "bob⇄relay: hi", "relay: up"])
        #expect(try await fixture.messages().map { $0.sender?.picture?.file.path } == [nil, nil, "/relay.png"])
    }
}
