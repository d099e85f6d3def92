import ChatModel
import SLP
import SLPWire
import Sessions
import TestSupport
import Testing
import Writing

/// The service is slow, wrong or gone.
@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SLPTroubleTests {
    @Test(arguments: [
        (#""code":"E05""#, 9), (#""code":"E98""#, 8), (#""code":"E99""#, 8), (#""status":500"#, 8),
        (#""status":503,"body":"<html>""#, 8), (#""code":"E11""#, 2), (#""status":200,"body":"no JSON""#, 2),
        (#""hang":true"#, 6), (#""abort":true"#, 8), (#""spoil":200000"#, 2), (#""stall":200000"#, 2),
        (#""pause":0.1"#, 1),
    ])
    func `history that fails or is incomplete is fetched later`(fault: String, times: Int) async throws {
        let all = try await SLPArchiving.start()
        let room = try await all.service.channel("general", #","chats":2000,"ties":3"#)
        try await all.service.order("fault", #"{"path":"/chats",\#(fault),"times":\#(times)}"#)
        try await all.listening { configuration in
            configuration.service.limits.answer = .milliseconds(300)
            configuration.service.limits.idle = .milliseconds(300)
        } _: {
            try await all.waitUntilLive(room)
            try await all.say("live", in: room)
            try await all.isComplete()
        }
        #expect(try await all.messages().last?.body == "live")
    }

    @Test func `an interrupted answer keeps its complete elements, and the rest is requested`()
        async throws
    {
        let all = try await SLPArchiving.start()
        _ = try await all.service.channel("general", #","chats":4000"#)
        try await all.service.order("fault", #"{"path":"/chats","spoil":400000}"#)
        try await all.service.order("fault", #"{"path":"/chats","hang":true,"after":0,"times":9}"#)
        try await all.listening { configuration in
            configuration.service.limits.answer = .seconds(60)
            configuration.overlap = .zero
        } _: {
            try await eventually("it was asked again") { try await all.historyCalls().count == 2 ? true : nil }
            let kept = try await all.stored().count
            #expect(kept > 500 && kept < 4000)
            let gaps = try await eventually("there is a gap") {
                let gaps = try await all.gaps()
                return gaps.isEmpty ? nil : gaps
            }
            // Of the last instant others may be missing.
            let last = try await all.messages().last?.id.time.microseconds ?? 0
            #expect(gaps.map(\.from.microseconds) == [last - 1])
        }
        let calls = try await all.historyCalls()
        #expect(calls[0].hasSuffix("cursor_date=") && !calls[1].hasSuffix("cursor_date="))
    }

    @Test(arguments: SLPGeneration.allCases)
    func
        `history that trickles is taken as it comes, and one that comes too slowly is asked for again from where it was`(
            generation: SLPGeneration
        ) async throws
    {
        let all = try await SLPArchiving.start(generation)
        let room = try await all.service.channel("general", #","chats":1500,"ties":3"#)
        try await all.service.order("fault", #"{"path":"/chats","trickle":60000,"every":20,"times":2}"#)
        try await all.service.order("fault", #"{"path":"/chats","trickle":5000,"every":0.01}"#)
        try await all.listening { configuration in
            configuration.service.limits.idle = .milliseconds(200)
            configuration.overlap = .zero
        } _: {
            try await all.waitUntilLive(room)
            try await all.say("live", in: room)
            try await all.isComplete()
        }
        #expect(try await all.historyCalls().count > 2)
        #expect(try await all.messages().last?.body == "live")
    }

    @Test func `live messages wait for missing history only for a limited time`() async throws {
        let all = try await SLPArchiving.start()
        let room = try await all.service.channel("general", #","chats":5"#)
        try await all.service.order("fault", #"{"path":"/chats","hang":true}"#)
        try await all.listening { configuration in
            configuration.heldTime = .zero
            configuration.service.limits.answer = .seconds(100)
        } _: {
            try await eventually("history is asked for") { try await all.historyCalls().count == 1 ? true : nil }
            try await all.waitUntilLive(room)
            try await all.say("live", in: room)
            try await all.holds("live")
        }
        try await all.listening { try await all.isComplete("after the restart") }
    }

    @Test(
        arguments: [
            "^/v1/users/login", "^/v1/users/(me|my)$", "^/v1/workspaces$", "/(my-channels|channels/my)$", "/members",
            "/dms",
            "/chats", "transport=polling$", "transport=polling&sid", "transport=websocket", "^/ws-channel",
        ], SLPGeneration.allCases)
    func `a connection that breaks at any step is reopened, and nothing is lost`(
        step: String, generation: SLPGeneration
    ) async throws {
        let all = try await SLPArchiving.start(generation)
        let room = try await all.service.channel("general", #","chats":600"#)
        try await all.service.order("fault", #"{"path":"\#(step)","abort":true,"times":2}"#)
        try await all.listening {
            try await all.isComplete()
            try await all.waitUntilLive(room)
            try await all.say("live", in: room)
            try await all.isComplete()
        }
    }

    @Test(arguments: ["close", "abort", "forget"], SLPGeneration.allCases)
    func `a connection that ends is reopened, and missed messages are fetched`(
        way: String, generation: SLPGeneration
    ) async throws {
        let all = try await SLPArchiving.start(generation)
        let room = try await all.service.channel("general", #","chats":5"#)
        try await all.listening {
            $0.backoff = Backoff.Limits(first: .milliseconds(300), longest: .milliseconds(300))
        } _: {
            try await all.isComplete()
            try await all.service.server.order(way)
            try await all.service.server.comesTo("nobody is there") { $0.sessions.isEmpty }
            try await all.say("meanwhile", in: room)
            try await all.isComplete()
        }
        #expect(try await all.historyCalls().count >= 2)
    }

    @Test(arguments: SLPGeneration.allCases)
    func `a server that ends the session when rooms are requested is tried again`(generation: SLPGeneration)
        async throws
    {
        let all = try await SLPArchiving.start(generation)
        _ = try await all.service.channel("general", #","chats":5"#)
        try await all.service.order("fault", #"{"path":"^/ws-channel","close":true,"times":2}"#)
        try await all.listening { try await all.isComplete() }
    }

    @Test(arguments: SLPGeneration.allCases)
    func `a room that the server ends is a gap until it is granted again`(generation: SLPGeneration) async throws {
        let all = try await SLPArchiving.start(generation)
        let room = try await all.service.channel("general", #","chats":5"#)
        let other = try await all.service.channel("other", #","chats":5"#, in: room.workspace)
        try await all.listening {
            try await all.isComplete()
            try await all.service.order("fault", #"{"path":"\#(room.namespace)","refuse":true,"times":4}"#)
            try await all.service.server.order("disconnect", #"{"namespace":"\#(room.namespace)"}"#)
            try await eventually("there is a gap") {
                try await all.gaps().map { "\($0.room) \($0.state) \($0.reason ?? "")" } == ["general current closed"]
                    ? true : nil
            }
            try await all.say("not heard", in: room)
            try await all.say("heard", in: other)
            try await all.isComplete()
            try await all.waitUntilLive(room, other)
        }
    }

    @Test(arguments: SLPGeneration.allCases)
    func `a room that is never granted has its history, and is known not to be live`(
        generation: SLPGeneration
    ) async throws {
        let all = try await SLPArchiving.start(generation)
        let room = try await all.service.channel("general", #","chats":5"#)
        try await all.service.order("fault", #"{"path":"\#(room.namespace)","refuse":true,"times":999999}"#)
        try await all.listening {
            $0.checkInterval = .milliseconds(100)
        } _: {
            try await all.holdsAll()
            try await all.say("fetched", in: room)
            try await all.holdsAll()
            #expect(try await all.gaps().map(\.state) == [.current])
        }
    }

    @Test(
        arguments: [
            ["--transports", "polling"], ["--transports", "websocket"], ["--no-upgrades"], ["--break-upgrades"],
        ], SLPGeneration.allCases)
    func `polling alone and a WebSocket alone both work`(
        arguments: [String], generation: SLPGeneration
    ) async throws {
        let all = try await SLPArchiving.start(generation, arguments)
        let room = try await all.service.channel("general", #","chats":50"#)
        try await all.listening {
            try await all.isComplete()
            for number in 0..<50 { try await all.say("live \(number)", in: room) }
            try await all.isComplete()
        }
    }

    @Test func `a history of unreadable elements ends the session after a limit`() async throws {
        let all = try await SLPArchiving.start()
        _ = try await all.service.channel("general", #","chats":5"#)
        let elements = (0..<5000).map(String.init).joined(separator: ",")
        try await all.service.order("fault", #"{"path":"/chats","status":200,"body":"[\#(elements)]","times":1}"#)
        try await all.listening {
            $0.maximumEffort = 1000
        } _: {
            await all.reported { $0.lastError?.contains("too many messages that can't be read") == true }
            let status = try await all.writer.value?.status()
            #expect((1...1100).contains(status?.failures ?? 0))
            try await all.holdsAll()
        }
    }
}
