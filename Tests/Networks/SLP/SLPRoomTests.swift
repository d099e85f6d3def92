import Archive
import ChatModel
import Reading
import SLP
import SLPWire
import Sessions
import TestSupport
import Testing

/// Rooms come, go and are renamed.
@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SLPRoomTests {
    @Test func `a new room is archived from its beginning, and then live`() async throws {
        let all = try await SLPArchiving.start()
        let general = try await all.service.channel("general", #","chats":5"#)
        try await all.listening {
            $0.checkInterval = .milliseconds(100)
        } _: {
            try await all.isComplete()
            let new = try await all.service.channel("new", #","chats":30"#, in: general.workspace)
            let direct = try await all.service.direct("carol", #","chats":30"#, in: general.workspace)
            try await all.waitUntilLive(new, direct)
            try await all.say("in the new one", in: new)
            try await all.say("to carol", in: direct)
            try await all.isComplete()
        }
    }

    @Test func `a left channel keeps its history, and its late events are not failures`()
        async throws
    {
        let all = try await SLPArchiving.start()
        let general = try await all.service.channel("general", #","chats":5"#)
        let left = try await all.service.channel("left", #","chats":5"#, in: general.workspace)
        try await all.listening {
            $0.checkInterval = .milliseconds(100)
        } _: {
            try await all.isComplete()
            try await eventually("it is left") {
                // A call for its history that was on its way has joined it again.
                try await all.service.order("leave", #"{"room":"\#(left.id)"}"#)
                return try all.archive.reading().rooms().first { $0.name == "left" }?.leftAt
            }
            let stray = #"42\#(left.namespace),[\"channel\",{\"chat_id\":\"1\"}]"#
            try await all.service.server.order("raw", #"{"text":"\#(stray)"}"#)
            try await all.say("in general", in: general)
            try await all.holdsAll()
            try await eventually("only that has a gap") { try await all.gaps().map(\.room) == ["left"] ? true : nil }
            let gaps = try await all.gaps()
            #expect(gaps.map(\.state) == [.ended] && gaps.map(\.reason) == ["left"])
            let status = try all.archive.reading().status()
            #expect(status.map(\.failures) == [0] && status.map(\.openGaps) == [0])
        }
    }

    @Test func `a channel with an unreadable listing is not taken for a left one`() async throws {
        let all = try await SLPArchiving.start()
        let general = try await all.service.channel("general", #","chats":5"#)
        try await all.listening {
            $0.checkInterval = .milliseconds(100)
        } _: {
            try await all.isComplete()
            try await all.service.order("misstate", #"{"room":"\#(general.id)"}"#)
            // By the time that a later list has another room, this one was read without the first.
            for name in ["second", "third"] {
                _ = try await all.service.channel(name, "", in: general.workspace)
                try await eventually("\(name) is listed") {
                    try all.archive.reading().rooms().contains { $0.name == name } ? true : nil
                }
            }
            try await all.say("still heard", in: general)
            try await all.holdsAll()
            #expect(try all.archive.reading().rooms().allSatisfy { $0.leftAt == nil })
        }
    }

    @Test func `a rejoined channel is archived from where it was left`() async throws {
        let all = try await SLPArchiving.start()
        let room = try await all.service.channel("general", #","chats":5"#)
        try await all.listening {
            $0.checkInterval = .milliseconds(100)
        } _: {
            try await all.isComplete()
            try await eventually("it is left") {
                try await all.service.order("leave", #"{"room":"\#(room.id)"}"#)
                return try all.archive.reading().rooms().first?.leftAt
            }
            try await all.say("without us", in: room)
            try await all.service.order("join", #"{"room":"\#(room.id)"}"#)
            try await all.isComplete()
            #expect(try all.archive.reading().rooms().first?.leftAt == nil)
        }
    }

    @Test(arguments: [SLPGeneration.one, .two])
    func `a deleted channel is marked and keeps its history`(generation: SLPGeneration) async throws {
        let all = try await SLPArchiving.start(generation)
        let room = try await all.service.channel("general", #","chats":5"#)
        let other = try await all.service.channel("other", #","chats":5"#, in: room.workspace)
        try await all.listening { try await all.isComplete() }
        try await all.service.order("fault", #"{"path":"\#(room.namespace)","delete":"\#(room.id)"}"#)
        try await all.listening {
            try await eventually("it is gone") {
                try all.archive.reading().rooms().first { $0.name == "general" }?.goneAt
            }
            try await all.say("still here", in: other)
            try await all.holdsAll()
            try await eventually("only that has gaps") {
                Set(try await all.gaps().map(\.room)) == ["general"] ? true : nil
            }
        }
    }

    @Test(arguments: [SLPGeneration.one, .two])
    func `a renamed channel stays one room without missing messages`(generation: SLPGeneration) async throws {
        let all = try await SLPArchiving.start(generation)
        let room = try await all.service.channel("general", #","chats":5"#)
        try await all.listening { try await all.isComplete() }
        try await all.say("meanwhile", in: room)
        // Between the list and the history.
        try await all.service.order("fault", #"{"path":"\#(room.namespace)","rename":"\#(room.id)","to":"neu/a"}"#)
        try await all.listening {
            try await all.holds("meanwhile")
            try await eventually("it is heard without a gap") { try await all.gaps().isEmpty ? true : nil }
        }
        let rooms = try all.archive.reading().rooms()
        #expect(rooms.count == 1 && rooms[0].goneAt == nil && rooms[0].messages == 6)
        #expect(rooms[0].name == (generation == .one ? "neu/a" : "general"))
        try await all.listening { try await all.isComplete() }
        #expect(try all.archive.reading().rooms().map(\.name) == ["neu/a"])
    }

    @Test(arguments: [SLPGeneration.one, .two])
    func `a direct room that no longer lists its partner keeps their name and continues`(
        generation: SLPGeneration
    ) async throws {
        let all = try await SLPArchiving.start(generation)
        let general = try await all.service.channel("general", #","chats":5"#)
        let direct = try await all.service.direct("carol", #","chats":5"#, in: general.workspace)
        try await all.listening { try await all.isComplete() }
        try await all.service.order("orphan", #"{"room":"\#(direct.id)"}"#)
        try await all.say("meanwhile", in: direct)
        try await all.listening {
            try await all.isComplete()
            try await all.say("heard", in: direct)
            try await all.isComplete()
        }
        #expect(try all.archive.reading().rooms().map(\.name) == ["general", "carol"])
    }

    @Test func `a direct room without a known partner is reported in generation 1, and is live`() async throws {
        let all = try await SLPArchiving.start(.one)
        let general = try await all.service.channel("general", #","chats":5"#)
        let direct = try await all.service.direct("carol", #","chats":5"#, in: general.workspace)
        try await all.service.order("orphan", #"{"room":"\#(direct.id)"}"#)
        try await all.listening {
            await all.reported { $0.lastError?.contains("the other person is unknown") == true }
            try await all.waitUntilLive(general, direct)
            try await all.say("heard", in: direct)
            try await all.holds("heard")
        }
        #expect(try await all.historyCalls().allSatisfy { $0.contains("/channels/") })
    }

    @Test func `a channel that takes another's old name gets none of its messages`() async throws {
        let all = try await SLPArchiving.start(.one)
        let room = try await all.service.channel("general", #","chats":5"#)
        try await all.listening { try await all.isComplete() }
        let other = try await all.service.channel("other", "", in: room.workspace)
        for (said, room) in [("first", room), ("second", other)] { try await all.say(said, in: room) }
        try await all.service.order("fault", #"{"path":"\#(other.namespace)","rename":"\#(room.id)","to":"old"}"#)
        try await all.service.order("fault", #"{"path":"\#(room.namespace)","rename":"\#(other.id)","to":"general"}"#)
        try await all.listening { _ = try await all.holds("first") }
        try await all.listening { try await all.isComplete() }
    }

    @Test func `a channel whose history fails is live, and the history is fetched later`()
        async throws
    {
        let all = try await SLPArchiving.start()
        let room = try await all.service.channel("general", #","chats":5"#)
        let other = try await all.service.channel("other", #","chats":5"#, in: room.workspace)
        try await all.service.order("fault", #"{"path":"\#(room.id)/chats","code":"E14","times":3}"#)
        try await all.listening {
            try await all.say("heard", in: room)
            try await all.waitUntilLive(room, other)
            try await all.isComplete("history is read in the end")
        }
        #expect(try await all.historyCalls().count == 5)
    }
}
