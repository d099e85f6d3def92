import ChatModel
import Foundation
import SQLQueries
import TestSupport
import Testing

@testable import Archive
@testable import Files
@testable import Reading
@testable import Writing

/// What a relay bot says is shown as what people said, and nothing is lost.
@Suite struct BridgeTests: SearchSuite {
    let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    /// Stores what a bot and others said.
    private func fill() async throws -> (writer: AccountWriter, session: SessionID) {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("<alice> hello", at: 10, by: "relay", in: session), .said("mine", at: 20, by: "alice", in: session),
            .said("<\u{3}04b\u{200B}ob\u{3}> 안녕", at: 30, by: "relay", in: session),
            .said("restarted", at: 40, by: "relay", in: session),
            .said("", at: 50, by: "relay", in: session, kind: .join),
            .said("<alice> again", id: "m60", at: 60, by: "relay", in: session),
        ])
        return (writer, session)
    }

    private static let bridged = [
        "alice⇄relay: hello", "alice: mine", "bob⇄relay: 안녕", "relay: restarted", "relay: ", "alice⇄relay: again",
    ]

    @Test(.disabled(if: QuickCheck.isRunning))
    func `stored and later messages belong to their authors, and undoing gives them back to the bot`()
        async throws
    {
        let (writer, session) = try await fill()
        let before = try fixture.rows().filter { $0.hasPrefix("message [") || $0.hasPrefix("sender_count") }
        #expect(try await fixture.bridge(try fixture.bridging(), by: writer) == 3)
        #expect(try await fixture.shown() == Self.bridged)
        #expect(
            try await fixture.messages().compactMap(\.via?.prefix) == [
                "<alice> ", "<\u{3}04b\u{200B}ob\u{3}> ", "<alice> ",
            ])
        #expect(try await fixture.messages().map(\.asWritten.body)[0] == "<alice> hello")
        try await fixture.expectSound()
        _ = try await writer.append([
            .said("<alice> live", at: 70, by: "relay", in: session),
            .said("<Carol> new", at: 80, by: "relay", in: session),
            .said("<dave> no", at: 90, by: "erin", in: session),
        ])
        #expect(
            try await fixture.shown().suffix(3) == ["alice⇄relay: live", "Carol⇄relay: new", "erin: <dave> no"])
        #expect(
            try await fixture.messages().filter { $0.via != nil && $0.sender?.name == "alice" }.map(\.sender?.id).count
                == 3)
        #expect(try await fixture.bridge(try fixture.bridging(), by: writer) == 0, "the same again changes nothing")
        try await fixture.expectSound()
        #expect(try await fixture.bridge(try fixture.bridging(undoes: true), by: writer) == 5)
        #expect(try await fixture.shown().first == "relay: <alice> hello")
        #expect(
            try await fixture.shown().suffix(3) == ["relay: <alice> live", "relay: <Carol> new", "erin: <dave> no"])
        #expect(
            try fixture.archive.reading().users(scope: .accounts(["demo"])).map(\.name).sorted() == [
                "alice", "erin", "relay",
            ])
        try await fixture.expectSound()
        let after = try fixture.rows().filter { $0.hasPrefix("message [") }
        #expect(after.starts(with: before.filter { $0.hasPrefix("message [") }))
        _ = try await writer.append([.said("<alice> later", at: 95, by: "relay", in: session)])
        #expect(try await fixture.shown().last == "relay: <alice> later")
        try await writer.close()
    }

    @Test func `searches and statistics find the people, and replies quote their texts`() async throws {
        let (writer, session) = try await fill()
        try await fixture.bridge(try fixture.bridging(), by: writer)
        _ = try await writer.append([
            .message(
                IncomingMessage(
                    session: session, room: ArchiveFixture.lobby, kind: .message,
                    sender: UserReference(key: "carol", name: "carol"), body: "yes",
                    receivedAt: ArchiveFixture.day.advanced(byMicroseconds: 100), replyTo: "m60"))
        ])
        #expect(try await found("from:alice").bodies == ["hello", "mine", "again"])
        #expect(try await found("from:relay").bodies == ["restarted"])
        #expect(try await found("안녕").bodies == ["안녕"])
        let reply = try await fixture.messages().last?.reply
        #expect(reply?.body == "again" && reply?.sender == "alice")
        let users = try fixture.archive.reading().users(scope: .accounts(["demo"]), countsMessages: true)
        #expect(
            users.map { "\($0.name) \($0.messages ?? 0)" }.sorted() == [
                "alice 1", "alice 2", "bob 1", "carol 1", "relay 1",
            ])
        let room = try fixture.archive.reading().users(scope: .room(account: "demo", id: 1))
        #expect(room.map(\.name).sorted() == ["alice", "carol", "relay"], "people of a bridge are in no room")
        try await writer.close()
    }

    @Test func `an edit, a replay and an import change the same bridged message`() async throws {
        let (writer, session) = try await fill()
        try await fixture.bridge(try fixture.bridging(), by: writer)
        let edit = IncomingMessage(
            session: session, room: ArchiveFixture.lobby, kind: .message,
            sender: UserReference(key: "relay", name: "relay"), body: "<alice> again!", remoteID: "m60",
            sourceTime: ArchiveFixture.day.advanced(byMicroseconds: 60),
            receivedAt: ArchiveFixture.day.advanced(byMicroseconds: 65),
            editedAt: ArchiveFixture.day.advanced(byMicroseconds: 65))
        _ = try await writer.append([.message(edit, .edit)])
        #expect(try await fixture.shown().last == "alice⇄relay: again!")
        try await writer.close()
        let lines = fixture.source([
            ImportedMessage(
                room: "lobby", kind: .message, sender: "relay", body: "<alice> hello",
                time: ArchiveFixture.day, resolution: .second),
            ImportedMessage(
                room: "lobby", kind: .message, sender: "alice", body: "mine", time: ArchiveFixture.day,
                resolution: .second),
            ImportedMessage(
                room: "lobby", kind: .message, sender: "relay", body: "<erin> imported",
                time: ArchiveFixture.at(5), resolution: .second),
            ImportedMessage(
                room: "lobby", kind: .message, sender: "bob", body: "not by the bridge",
                time: ArchiveFixture.at(6), resolution: .second),
        ])
        let expected = ImportTally(new: 2, known: 2)
        #expect(try await fixture.archive.rehearseImport(into: "demo").add(lines) == expected)
        #expect(try await fixture.store(lines, into: ArchiveFixture.account) == expected)
        #expect(try await fixture.shown().suffix(2) == ["erin⇄relay: imported", "bob: not by the bridge"])
        try await fixture.expectSound()
    }

    @Test func `a bridge's bot stays after its last room with own messages is erased`() async throws {
        let (writer, session) = try await fill()
        try await fixture.bridge(try fixture.bridging(), by: writer)
        let bot = try fixture.user("relay")
        let other = RoomReference(key: "other", name: "other", kind: .channel)
        _ = try await writer.append([
            .message(
                IncomingMessage(
                    session: session, room: other, kind: .message, sender: UserReference(key: "relay", name: "relay"),
                    body: "<alice> elsewhere", receivedAt: ArchiveFixture.day.advanced(byMicroseconds: 200)))
        ])
        let lobby: Int64 = try #require(try fixture.value("SELECT room_id FROM message WHERE body = 'mine'"))
        var place: ErasingPlace?
        repeat {
            place = try await writer.retention.erase(room: lobby, from: place, at: ArchiveFixture.at(1)).next
        } while place != nil
        #expect(try fixture.user("relay") == bot)
        _ = try await writer.append([.said("<alice> live", at: 2_000_000, by: "relay", in: session)])
        #expect(try await fixture.shown() == ["alice⇄relay: elsewhere", "alice⇄relay: live"])
        #expect(try fixture.archive.reading().users(scope: .room(account: "demo", id: lobby)).isEmpty)
        try await fixture.expectSound()
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an export has the bot's texts, and its import shows the same people`() async throws {
        let (writer, _) = try await fill()
        try await fixture.bridge(try fixture.bridging(), by: writer)
        try await writer.close()
        let lines = try await fixture.export()
        let bodies = lines.compactMap { if case .message(let message) = $0 { message.body } else { nil } }
        #expect(bodies.first == "<alice> hello")
        _ = try await fixture.store(lines, into: AccountIdentity(name: "old", network: "streamchat"))
        #expect(try await fixture.shown("old") == Self.bridged)
        try await fixture.expectSound()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `forgetting a bridged person covers their later messages`() async throws {
        let (writer, session) = try await fill()
        try await fixture.bridge(try fixture.bridging(), by: writer)
        let alice = try #require(try await fixture.messages().first?.sender?.id)
        var place: ForgettingPlace?
        repeat {
            let step = try await writer.retention.forget(
                Forgetting(.user(alice), redacts: false, alsoNew: true), from: place, at: ArchiveFixture.at(20))
            place = step.next
        } while place != nil
        _ = try await writer.append([
            .said("<alice> gone", at: 200, by: "relay", in: session), .said("here", at: 210, by: "alice", in: session),
        ])
        #expect(
            try await fixture.shown() == ["alice: mine", "bob⇄relay: 안녕", "relay: restarted", "relay: ", "alice: here"])
        try await fixture.expectSound()
        try await writer.close()
    }

    @Test func `SQL has the sender, the bot and the text that history shows`() async throws {
        let (writer, _) = try await fill()
        try await fixture.bridge(try fixture.bridging(), by: writer)
        try await writer.close()
        // The key of a damaged file may name no bridge.
        try fixture.execute("UPDATE user SET key = char(31) || 'relay' WHERE key LIKE '%bob'")
        let archive = fixture.archive
        let query = try SQLQuery(
            "SELECT sender || ifnull('⇄' || via, '') || ': ' || body FROM messages ORDER BY id",
            in: archive.reading(), limit: ReadLimit(), zone: .gmt)
        var rows: [SQLCell] = []
        while let row = try query.next() { rows += row }
        #expect(
            rows == [
                .text("alice⇄relay: hello"), .text("alice: mine"), .text("bob: <\u{3}04b\u{200B}ob\u{3}> 안녕"),
                .text("relay: restarted"), .text("alice⇄relay: again"),
            ])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an interrupted bridge is continued, and so is its undoing`() async throws {
        let (writer, session) = try await fill()
        for start in stride(from: 0, to: 1200, by: 300) {
            _ = try await writer.append(
                (start..<start + 300).map {
                    .said("<a\($0 % 7)> \($0)", at: 1000 + Int64($0), by: "relay", in: session)
                })
        }
        try await fixture.bridge(try fixture.bridging(), by: writer, steps: 2)
        let line = ImportedMessage(
            room: "lobby", kind: .message, sender: "bob", body: "x", time: ArchiveFixture.at(9), resolution: .second)
        let error = await #expect(throws: ArchiveError.self) {
            try await writer.importLines(fixture.source([line]), at: ArchiveFixture.importTime)
        }
        #expect(error?.detail.contains("being made or undone") == true)
        #expect(try await fixture.bridge(try fixture.bridging(), by: writer) > 0)
        #expect(try fixture.value("SELECT count(*) FROM message WHERE sender_id = \(fixture.user("relay"))") == 2)
        try await fixture.bridge(try fixture.bridging(undoes: true), by: writer, steps: 2)
        #expect(try fixture.archive.reading().merging.bridges(of: "demo").count == 1)
        try await fixture.bridge(try fixture.bridging(undoes: true), by: writer)
        #expect(try fixture.value("SELECT count(*) FROM message WHERE sender_id = \(fixture.user("relay"))") == 1205)
        #expect(try fixture.archive.reading().merging.bridges(of: "demo").isEmpty)
        try await fixture.expectSound()
        try await writer.close()
    }

    @Test func `a preview counts people, shows examples and changes nothing`() async throws {
        let (writer, _) = try await fill()
        let rows = try fixture.rows()
        let preview = try fixture.archive.reading().merging.preview(
            of: try BridgePattern(ArchiveFixture.bridgePattern), bot: fixture.user("relay"), account: "demo")
        #expect(preview.matching == 3 && preview.others == 1 && preview.people == ["alice": 2, "bob": 1])
        #expect(preview.examples.map(\.text) == ["again", "안녕", "hello"] && preview.otherExamples == ["restarted"])
        #expect(try fixture.rows() == rows)
        try await writer.close()
    }

    @Test func `bridged people can't be merged and can't have bridges`() async throws {
        let (writer, _) = try await fill()
        try await fixture.bridge(try fixture.bridging(), by: writer)
        let alice = try #require(try await fixture.messages().first?.sender?.id)
        for request in [
            Merging(.people, from: alice, into: try fixture.user("alice")), .init(.people, from: 2, into: alice),
        ] {
            let error = await #expect(throws: ArchiveError.self) { try await writer.merge(request, at: .now()) }
            #expect(error?.detail.contains("bridge") == true)
        }
        let nested = Bridging(bot: alice, name: "alice", pattern: try BridgePattern(ArchiveFixture.bridgePattern))
        await #expect(throws: ArchiveError.self) { try await writer.bridge(nested, at: .now()) }
        try await writer.close()
    }

    @Test func `a network's key that looks like a bridged person's is another person`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let forged = BridgeKey(bot: "relay", pattern: try BridgePattern(ArchiveFixture.bridgePattern), nick: "alice")
            .text
        _ = try await writer.append([
            .message(
                IncomingMessage(
                    session: session, room: ArchiveFixture.lobby, kind: .message,
                    sender: UserReference(key: forged, name: "alice"), body: "<alice> hi",
                    receivedAt: ArchiveFixture.day.advanced(byMicroseconds: 10)))
        ])
        #expect(try await fixture.shown() == ["alice: <alice> hi"])
        try await writer.close()
    }
}
