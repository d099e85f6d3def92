import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Archive
@testable import Files
@testable import Reading
@testable import Writing

/// Forgetting of bridged people, and erasing of their rooms.
extension BridgesAndOtherChangesTests {
    // MARK: Forgetting and erasing

    @Test func `a bot is forgotten only after its bridges are undone, because they have its name`() async throws {
        let (writer, session) = try await open()
        _ = try await writer.append([.said("<walrus> hi", at: 10, by: "relayant", in: session)])
        try await fixture.bridge(try fixture.bridging(bot: "relayant"), by: writer)
        let bot = try fixture.user("relayant")
        let error = await refusal { try await forget(bot, by: writer) }
        #expect(error?.detail.contains("bot of a bridge") == true)
        let plan = await refusal {
            _ = try fixture.archive.reading().retention.forgettingPlan(of: "demo", .user(bot))
        }
        #expect(plan?.detail == error?.detail)
        try await fixture.bridge(try fixture.bridging(undoes: true, bot: "relayant"), by: writer)
        try await forget(bot, by: writer)
        try await writer.close()
        #expect(try fixture.traces(of: ["relayant", "walrus"], ends: false) == [])
    }

    @Test func `forgetting a bridged person keeps lines that name a person of the network`() async throws {
        let (writer, session) = try await open()
        _ = try await writer.append([
            .said("<alice> hi", at: 10, by: "relay", in: session), .said("mine", at: 20, by: "alice", in: session),
            .said("alice: go away", at: 30, by: "bob", in: session, kind: .kick),
        ])
        try await fixture.bridge(try fixture.bridging(), by: writer)
        let bridged = try #require(try await fixture.messages().first?.sender?.id)
        let plan = try fixture.archive.reading().retention.forgettingPlan(of: "demo", .user(bridged))
        #expect(plan.messages == 1)
        try await forget(bridged, by: writer)
        #expect(try await fixture.shown() == ["alice: mine", "bob: alice: go away"])
        try await fixture.expectSound()
        try await writer.close()
    }

    @Test func `erasing the only room of a bot removes the bot and its bridges`() async throws {
        let (writer, session) = try await open()
        _ = try await writer.append([
            .said("<walrus> hi", at: 10, by: "relayant", in: session, room: Self.other),
            .said("here", at: 20, by: "bob", in: session),
        ])
        try await fixture.bridge(try fixture.bridging(bot: "relayant"), by: writer)
        try await erase(try #require(try fixture.value("SELECT id FROM room WHERE key = '#other'")), by: writer)
        try await writer.close()
        #expect(try fixture.archive.reading().merging.bridges(of: "demo").isEmpty)
        #expect(try fixture.archive.reading().users(scope: .accounts(["demo"])).map(\.name) == ["bob"])
        #expect(try fixture.traces(of: ["relayant", "walrus"], ends: false) == [])
        try await fixture.expectSound()
    }

    @Test func `erasing one of a bot's rooms keeps its bridge for later messages`() async throws {
        let (writer, session) = try await open()
        _ = try await writer.append([
            .said("<alice> hi", at: 10, by: "relay", in: session, room: Self.other),
            .said("<bob> here", at: 20, by: "relay", in: session),
        ])
        try await fixture.bridge(try fixture.bridging(), by: writer)
        try await erase(try #require(try fixture.value("SELECT id FROM room WHERE key = '#other'")), by: writer)
        _ = try await writer.append([.said("<alice> later", at: 30_000_000, by: "relay", in: session)])
        #expect(try await fixture.shown() == ["bob⇄relay: here", "alice⇄relay: later"])
        #expect(try await fixture.bridge(try fixture.bridging(undoes: true), by: writer) == 2)
        try await fixture.expectSound()
        try await writer.close()
    }
}
