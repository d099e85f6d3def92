import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// Pictures, descriptions and owners of rooms, and their exports.
extension PictureTests {
    @Test func `a room keeps its descriptions, owners and pictures, and shows the current ones`() async throws {
        let writer = try await fixture.openWriter()
        func listed(
            _ description: ListedFact<String>, _ owner: ListedFact<String>, _ picture: ListedFact<String>,
            workspace: ListedFact<String> = .unknown, at offset: Int64
        ) -> ChatEvent {
            var listing = RoomListing(
                room: hall, workspace: WorkspaceReference(key: "w", name: "work", picture: workspace))
            (listing.description, listing.owner, listing.picture) = (description, owner, picture)
            listing.ownerName = owner.value
            return .roomListed(listing, at: at(offset))
        }
        _ = try await writer.append([
            pictured(alice, nil, at: 1),
            listed(.known("first"), .known("alice"), .known("/r.png"), workspace: .known("/w.png"), at: 10),
            listed(.unknown, .unknown, .unknown, at: 20),
        ])
        #expect(try await wanted(writer) == ["/r.png", "/w.png"])
        func room() async throws -> Room? {
            try fixture.archive.reading().roomList(accounts: ["demo"]).first { $0.name == "hall" }
        }
        var found = try await room()
        #expect(found?.description == "first" && found?.owner == "alice")
        #expect(found?.picture?.file.path == "/r.png" && found?.workspacePicture?.file.path == "/w.png")

        _ = try await writer.append([
            listed(.known("second"), .known("u9"), .known(nil), workspace: .known(nil), at: 30),
            listed(.known("second"), .known("u9"), .known(nil), workspace: .known(""), at: 40),
        ])
        found = try await room()
        #expect(found?.description == "second" && found?.owner == "u9", "a person who is not listed has an id alone")
        #expect(found?.picture == nil && found?.workspacePicture == nil)
        try await writer.close()
        let day = ArchiveFixture.day.microseconds
        #expect(
            try fixture.value(
                """
                SELECT group_concat(text || (first_seen_us - \(day)) || '-' || ifnull(last_seen_us - \(day), ''), ' ')
                FROM room_description
                """) == "first10-30 second30-")
        #expect(try fixture.value("SELECT count(*) FROM room_owner WHERE last_seen_us IS NULL") == 1)
        try await isSound()
    }

    @Test func `an export adds pictures, descriptions and owners once, never over a listener's`()
        async throws
    {
        func message(_ second: Int, _ path: String, _ description: String?) -> ImportedMessage {
            var message = ImportedMessage(
                room: "hall", roomKey: "C1", kind: .message, sender: "alice", senderKey: "alice", body: "hi \(second)",
                time: ArchiveFixture.at(second), resolution: .microsecond, remoteID: "m\(second)")
            message.facts = ImportedFacts(
                picture: ImportedMessage.File(path: path), description: description, owner: "bob", ownerName: "Bob",
                roomPicture: ImportedMessage.File(path: "/guild.png"))
            return message
        }
        try await fixture.store(message(1, "/a.png", "plans"), message(2, "/b.png", "plans"), is: ImportTally(new: 2))
        let reading = fixture.archive.reading()
        let room = try reading.roomList(accounts: ["old"]).first
        #expect(room?.description == "plans" && room?.owner == "Bob" && room?.picture?.file.path == "/guild.png")
        let page = try reading.page(MessageQuery(scope: .accounts(["old"]), anchor: .latest, limit: 9))
        #expect(page.messages.map { $0.sender?.picture?.file.path } == ["/a.png", "/b.png"])
        #expect(page.messages.last?.sender?.picture?.file.state == .otherServer, "it is not fetched")

        let writer = try await fixture.archive.openWriter(ArchiveFixture.log)
        _ = try await writer.append([.sessionOpened(at: ArchiveFixture.at(10)), pictured(alice, "/own.png", at: 0)])
        try await writer.close()
        _ = try await fixture.store(fixture.source([message(20, "/c.png", "other")]))
        #expect(try reading.roomList(accounts: ["old"]).first?.description == "plans")
        #expect(try fixture.value("SELECT count(*) FROM user_picture WHERE path = '/c.png'", account: "old") == 0)
    }

    @Test func `a newer export changes facts from its first new message, and an older one none`() async throws {
        func message(_ second: Int, _ path: String, _ description: String) -> ImportedMessage {
            var message = ImportedMessage(
                room: "hall", roomKey: "C1", kind: .message, sender: "alice", senderKey: "alice", body: "hi \(second)",
                time: ArchiveFixture.at(second), resolution: .microsecond, remoteID: "m\(second)")
            message.facts = ImportedFacts(picture: ImportedMessage.File(path: path), description: description)
            return message
        }
        let old = fixture.source((1...2).map { message($0, "/a.png", "plans") })
        let new = fixture.source((1...3).map { message($0, "/b.png", "more plans") })
        for lines in [old, new, old, new, old] { _ = try await fixture.store(lines) }
        let reading = fixture.archive.reading()
        let page = try reading.page(MessageQuery(scope: .accounts(["old"]), anchor: .latest, limit: 9))
        #expect(page.messages.map { $0.sender?.picture?.file.path } == ["/a.png", "/a.png", "/b.png"])
        #expect(try fixture.value("SELECT count(*) FROM user_picture", account: "old") == 2)
        #expect(try fixture.value("SELECT count(*) FROM room_description", account: "old") == 2)
        #expect(try reading.roomList(accounts: ["old"]).first?.description == "more plans")
    }
}
