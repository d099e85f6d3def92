import Archive
import ChatModel
import Reading
import SLP
import SLPWire
import Sessions
import TestSupport
import Testing

/// What is heard and what history has become one.
@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SLPMergeTests {
    @Test func `only missing messages are fetched after a restart`() async throws {
        let all = try await SLPArchiving.start()
        let general = try await all.service.channel("general", #","chats":50"#)
        try await all.listening { try await all.isComplete() }
        try await all.say("meanwhile", in: general)
        let missed = try await all.gaps()
        #expect(missed.map(\.state) == [.current] && missed.first?.reason == "stopped")
        try await all.listening { try await all.isComplete("what was said meanwhile is stored") }
        let calls = try await all.historyCalls()
        #expect(calls.count == 2 && calls[0].hasSuffix("cursor_date=") && !calls[1].hasSuffix("cursor_date="))
    }

    @Test(arguments: SLPGeneration.allCases)
    func `a message sent between history's answer and its arrival is stored after it`(generation: SLPGeneration)
        async throws
    {
        let all = try await SLPArchiving.start(generation)
        let general = try await all.service.channel("general", #","chats":1200"#)
        let said = #"{"room":"\#(general.id)","content":"between"}"#
        try await all.service.order("fault", #"{"path":"/chats","say":\#(said)}"#)
        try await all.listening { try await all.isComplete() }
        #expect(try await all.messages().last?.body == "between")
        #expect(try await all.historyCalls().count == 1)
    }

    @Test(arguments: SLPGeneration.allCases)
    func `a live message before its room is granted is stored`(generation: SLPGeneration) async throws {
        let all = try await SLPArchiving.start(generation)
        let general = try await all.service.channel("general", #","chats":5"#)
        let said = #"{"room":"\#(general.id)","content":"early"}"#
        try await all.service.order("fault", #"{"path":"\#(general.namespace)","say":\#(said)}"#)
        try await all.listening { try await all.isComplete() }
    }

    @Test(arguments: SLPGeneration.allCases)
    func `a message that is live twice, out of order and in history is stored once`(
        generation: SLPGeneration
    ) async throws {
        let all = try await SLPArchiving.start(generation)
        let general = try await all.service.channel("general", #","chats":5"#)
        try await all.service.order("set", #"{"doubled":true}"#)
        try await all.listening {
            $0.checkInterval = .milliseconds(100)
        } _: {
            try await all.isComplete()
            for number in 0..<20 {
                let at = 60_000 - number / 3
                try await all.say("said \(number)", in: general, #","at":\#(at),"times":\#(1 + number % 2)"#)
            }
            let calls = try await all.historyCalls().count
            try await eventually("it was asked again") {
                try await all.historyCalls().count > calls + 1 ? true : nil
            }
            try await all.isComplete()
        }
        #expect(try await all.messages().filter { $0.editedAt != nil } == [])
    }

    @Test(arguments: [false, true], SLPGeneration.allCases)
    func `ties at the start of a history request are all stored`(
        isInclusive: Bool, generation: SLPGeneration
    ) async throws {
        let all = try await SLPArchiving.start(generation)
        try await all.service.order("set", #"{"inclusive":\#(isInclusive)}"#)
        _ = try await all.service.channel("general", #","chats":2000,"ties":300"#)
        try await all.service.order("fault", #"{"path":"/chats","spoil":180000}"#)
        try await all.listening { configuration in
            configuration.overlap = .zero
        } _: {
            try await all.isComplete()
        }
        #expect(try await all.historyCalls().count > 1)
    }

    @Test(arguments: SLPGeneration.allCases)
    func `history in reverse order is stored completely, and continued where it stops`(
        generation: SLPGeneration
    ) async throws {
        let all = try await SLPArchiving.start(generation)
        try await all.service.order("set", #"{"backwards":true}"#)
        _ = try await all.service.channel("general", #","chats":2000,"ties":3"#)
        try await all.service.order("fault", #"{"path":"/chats","spoil":200000,"times":2}"#)
        try await all.listening { try await all.isComplete() }
    }

    @Test(arguments: SLPGeneration.allCases)
    func `a live message that history lacks so far, like our own, is stored once`(
        generation: SLPGeneration
    ) async throws {
        let all = try await SLPArchiving.start(generation)
        let general = try await all.service.channel("general", #","chats":5"#)
        try await all.listening {
            $0.checkInterval = .milliseconds(100)
        } _: {
            try await all.isComplete()
            try await all.service.order("echo", #"{"room":"\#(general.id)","content":"mine"}"#)
            try await all.holds("mine")
            for answers in ["before", "after"] {
                let calls = try await all.historyCalls().count
                try await eventually("history is asked for \(answers) the answer") {
                    try await all.historyCalls().count > calls + 1 ? true : nil
                }
                try await all.service.order("answer")
            }
            try await all.isComplete()
        }
        let mine = try await all.messages().filter { $0.sender?.isSelf == true }
        #expect(mine.map(\.body) == ["mine"] && mine.map(\.editedAt) == [nil])
    }

    @Test(arguments: SLPGeneration.allCases)
    func `a message that the socket lost is found by a later check`(generation: SLPGeneration) async throws {
        let all = try await SLPArchiving.start(generation)
        let general = try await all.service.channel("general", #","chats":5"#)
        try await all.listening {
            $0.checkInterval = .milliseconds(100)
        } _: {
            try await all.isComplete()
            try await all.say("never heard", in: general, #","times":0"#)
            try await all.isComplete()
        }
    }

    @Test(arguments: SLPGeneration.allCases)
    func `the same id with other content is a version, live or in history`(generation: SLPGeneration)
        async throws
    {
        let all = try await SLPArchiving.start(generation)
        let general = try await all.service.channel("general", #","chats":3"#)
        try await all.listening {
            $0.checkInterval = .milliseconds(100)
        } _: {
            try await all.isComplete()
            let room = #""room":"\#(general.id)""#
            try await all.service.order("edit", #"{\#(room),"content":"message 0","to":"heard"}"#)
            let heard = try await all.holds("heard")
            try await all.say("now", in: general)
            // Else history may have the later text before the earlier one is heard, and nothing tells which is which.
            _ = try await all.holds("now")
            try await all.service.order("edit", #"{\#(room),"content":"now","to":"later","times":0}"#)
            let later = try await all.holds("later")
            for (message, texts) in [(heard, ["message 0", "heard"]), (later, ["now", "later"])] {
                guard case .found(let detail) = try all.archive.reading().message(message.id) else {
                    Issue.record("\(message) is not found")
                    continue
                }
                #expect(detail.versions.map(\.body) == texts)
            }
        }
        #expect(try await all.messages().count == 4)
    }

    @Test func `a service with a slow clock loses nothing`() async throws {
        let all = try await SLPArchiving.start()
        try await all.service.order("set", #"{"clock":-600000}"#)
        let general = try await all.service.channel("general", #","chats":5"#)
        try await all.listening {
            try await all.isComplete()
            try await all.say("heard", in: general)
            try await all.isComplete()
        }
        try await all.say("meanwhile", in: general)
        try await all.listening { try await all.isComplete("after the restart") }
    }

    @Test(arguments: [#""content""#, #""content","createdAt""#])
    func `an unreadable message stays a gap, and is not requested endlessly`(
        keys: String
    ) async throws {
        let all = try await SLPArchiving.start()
        let general = try await all.service.channel("general", #","chats":9"#)
        try await all.service.order("garble", #"{"room":"\#(general.id)","content":"message 4","keys":[\#(keys)]}"#)
        func isKnown(_ count: Int, since calls: Int) async throws {
            var state = ""
            try await eventually("what is missing is known", state: { state }) {
                let gaps = try await all.gaps()
                state = "\(gaps)"
                let isAsked = try await all.historyCalls().count >= calls
                let isOne = gaps.map { "\($0.state) \($0.reason ?? "")" } == ["lost unreadable"]
                let stored = try await all.stored().count
                return isAsked && isOne && stored == count ? true : nil
            }
        }
        try await all.listening {
            $0.checkInterval = .milliseconds(50)
        } _: {
            try await isKnown(8, since: 1)
            try await isKnown(8, since: 5)
            try await all.say("heard", in: general)
            try await isKnown(9, since: 8)
        }
        try await all.say("meanwhile", in: general)
        let before = try await all.historyCalls().count
        try await all.listening { try await isKnown(10, since: before + 1) }
        #expect(try await all.historyCalls().count { $0.hasSuffix("cursor_date=") } == 1)
        #expect(try all.archive.reading().status().map(\.failures) == [1])
    }
}
