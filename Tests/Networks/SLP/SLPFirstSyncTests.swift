import Archive
import ChatModel
import Reading
import SLP
import SLPWire
import Sessions
import TestSupport
import Testing

@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SLPFirstSyncTests {
    @Test(arguments: [SLPGeneration.one, .two])
    func `all rooms of all workspaces are archived from their beginning, and then live`(
        generation: SLPGeneration
    ) async throws {
        let all = try await SLPArchiving.start(generation)
        let general = try await all.service.channel("general", #","chats":700,"ties":3"#)
        let other = try await all.service.channel("a/b c+d?", #","chats":20"#, in: general.workspace)
        let direct = try await all.service.direct(#"carol"#, #","chats":20,"ties":20"#, in: general.workspace)
        _ = try await all.service.channel("general", #","chats":5"#)
        let rooms = try await all.listening {
            try await all.isComplete()
            try await all.say("in a channel", in: general)
            try await all.say("in another", in: other)
            try await all.say("to carol", in: direct, #","user":"alice""#)
            try await all.isComplete("what was said is stored")
            return try all.archive.reading().rooms()
        }
        #expect(rooms.map(\.name) == ["a/b c+d?", "general", "general", "carol"])
        #expect(rooms.map(\.kind) == [.channel, .channel, .channel, .direct])
        #expect(rooms.allSatisfy { $0.workspace == "w" && $0.leftAt == nil })
        #expect(try await all.holds("to carol").sender?.isSelf == true)
        let asked = Set(try await all.historyCalls().map { $0.prefix { $0 != "?" } })
        #expect(asked.count == 4)
    }

    @Test(arguments: SLPGeneration.allCases)
    func `a room of 10,000 messages is archived in one call`(generation: SLPGeneration) async throws {
        let all = try await SLPArchiving.start(generation)
        _ = try await all.service.channel("general", #","chats":10000,"ties":7"#)
        try await all.listening { try await all.isComplete() }
        #expect(try await all.historyCalls().count == 1)
    }

    @Test(arguments: [SLPGeneration.one, .two])
    func `ids of the other type and null values are archived`(generation: SLPGeneration) async throws {
        let all = try await SLPArchiving.start(generation)
        try await all.service.order("set", #"{"other_ids":true,"bare":true}"#)
        let general = try await all.service.channel("general", #","chats":20"#)
        try await all.listening {
            try await eventually("they are stored") { try await all.stored().count == 20 ? true : nil }
            #expect(try await all.stored().allSatisfy { $0.content == nil })
            try await all.waitUntilLive(general)
        }
        #expect(try await all.messages().allSatisfy { $0.sender == nil })
    }

    @Test func `a channel that is not the account's is read only if it is configured by name`() async throws {
        let all = try await SLPArchiving.start()
        let mine = try await all.service.channel("mine", #","chats":2"#)
        _ = try await all.service.channel("theirs", #","chats":2,"mine":false"#, in: mine.workspace)
        let wanted = try await all.service.channel("wanted", #","chats":2,"mine":false"#, in: mine.workspace)
        try await all.listening { configuration in
            configuration.channels = ["wanted"]
        } _: {
            try await eventually("two rooms are stored") { try await all.stored().count == 4 ? true : nil }
            try await all.waitUntilLive(mine, wanted)
        }
        #expect(Set(try await all.stored().map(\.room)) == ["mine", "wanted"])
        #expect(Set(try await all.service.state().joined) == [mine.id, wanted.id])
    }

    @Test func `a newly configured channel is read on the existing connection`() async throws {
        let all = try await SLPArchiving.start()
        let mine = try await all.service.channel("mine", #","chats":2"#)
        let wanted = try await all.service.channel("wanted", #","chats":2,"mine":false"#, in: mine.workspace)
        try await all.listening {
            try await all.waitUntilLive(mine)
            all.configure { $0.channels = ["wanted"] }
            try await all.waitUntilLive(mine, wanted)
            try await eventually("two rooms are stored") { try await all.stored().count == 4 ? true : nil }
        }
        #expect(all.reports.value.count { $0.state == .connecting } == 1)
    }

    @Test(arguments: SLPGeneration.allCases)
    func `a stopped first sync is continued for every room from its beginning`(
        generation: SLPGeneration
    ) async throws {
        let all = try await SLPArchiving.start(generation)
        let general = try await all.service.channel("general", #","chats":50"#)
        let other = try await all.service.channel("other", #","chats":50"#, in: general.workspace)
        try await all.service.order("fault", #"{"path":"/chats","hang":true}"#)
        try await all.listening {
            $0.fetchesAtOnce = 1
        } _: {
            try await all.waitUntilLive(general, other)
            try await eventually("history is asked for") { try await all.historyCalls().count == 1 ? true : nil }
            try await all.say("live in general", in: general)
            try await all.say("live in other", in: other)
            _ = try await all.holds("live in other")
        }
        try await all.listening { try await all.isComplete("after the restart") }
    }
}

extension SLPRoomAddress {
    var workspace: String {
        switch self {
        case .channel(let workspace, _, _), .direct(let workspace, _, _): workspace
        }
    }
}
