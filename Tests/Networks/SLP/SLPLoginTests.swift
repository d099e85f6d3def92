import Archive
import ChatModel
import SLP
import SLPWire
import Sessions
import TestSupport
import Testing

@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SLPLoginTests {
    @Test func `a wrong password is tried once and reported, and the archive stays readable`() async throws {
        let all = try await SLPArchiving.start()
        let room = try await all.service.channel("general", #","chats":5"#)
        try await all.listening { try await all.isComplete() }
        try await all.say("meanwhile", in: room)
        let calls = try await all.service.state().calls.count
        try await all.listening { configuration in
            configuration.service.credentials.password = "wrong"
        } _: {
            await all.reported { $0.state == .needsLogin && $0.lastError?.contains("E03") == true }
            let stored = try await all.stored()
            #expect(stored.count == 5)
        }
        #expect(try await all.service.state().calls.count == calls + 1)
        try await all.listening { try await all.isComplete("with the right one") }
    }

    @Test(arguments: SLPGeneration.allCases)
    func `tokens that expire while listening are renewed, and no message waits for a person`(generation: SLPGeneration)
        async throws
    {
        let all = try await SLPArchiving.start(generation)
        let room = try await all.service.channel("general", #","chats":5"#)
        try await all.listening {
            $0.checkInterval = .milliseconds(100)
        } _: {
            try await all.isComplete()
            for tokens in [#"{"access":true}"#, #"{"access":true,"refresh":true}"#] {
                try await all.service.order("expire", tokens)
                try await all.say("after \(tokens.count)", in: room, #","times":0"#)
                try await all.isComplete()
            }
        }
        let state = try await all.service.state()
        #expect(state.refresh == 1 && state.login == 2)
    }

    @Test(arguments: SLPGeneration.allCases)
    func `an account without a password asks for one when its tokens expire, and stops`(
        generation: SLPGeneration
    ) async throws {
        let all = try await SLPArchiving.start(generation)
        let room = try await all.service.channel("general", #","chats":5"#)
        let folder = try TemporaryFolder()
        try await all.listening {
            $0.service.tokenPath = folder.path + "/tokens.json"
        } _: {
            try await all.isComplete()
        }
        try await all.listening { configuration in
            configuration.service.tokenPath = folder.path + "/tokens.json"
            configuration.service.credentials.password = nil
            configuration.checkInterval = .milliseconds(100)
        } _: {
            try await all.say("heard", in: room)
            try await all.isComplete()
            try await all.service.order("expire", #"{"access":true,"refresh":true}"#)
            await all.reported { $0.state == .needsLogin }
            try await all.service.server.comesTo("nobody is there") { $0.sessions.isEmpty }
            #expect(try await all.stored().count == 6)
        }
        let gaps = try await all.gaps()
        #expect(gaps.map(\.state) == [.current])
    }

    @Test(arguments: ["^/v1/users/me", "^/v1/workspaces$", "/chats"])
    func `a service that rejects its own tokens is retried, with a report`(path: String) async throws {
        let all = try await SLPArchiving.start()
        _ = try await all.service.channel("general", #","chats":5"#)
        try await all.service.order("fault", #"{"path":"\#(path)","code":"E05","times":9}"#)
        try await all.listening {
            await all.reported { $0.lastError?.contains("E05 (the token has expired) to a token that it") == true }
            try await all.isComplete()
        }
        #expect(all.reports.value.allSatisfy { $0.state != .needsLogin })
    }

    @Test func `a password corrected during the wait is used, and no other is tried meanwhile`() async throws {
        let all = try await SLPArchiving.start()
        _ = try await all.service.channel("general", #","chats":5"#)
        let credentials = try Watched(all.service.configuration.credentials)
        credentials.change { $0.password = "wrong" }
        try await all.listening {
            $0.currentCredentials = { credentials.value }
            $0.loginCheckInterval = .milliseconds(1)
        } _: {
            await all.reported {
                $0.state == .needsLogin && $0.lastError?.contains("to retry, change the password") == true
            }
            #expect(try await all.service.state().calls.count == 1)
            credentials.change { $0.password = "secret" }
            try await all.isComplete()
            await all.reported { $0.state == .connected && $0.lastError == nil }
        }
    }

    @Test func `tokens of another process's login are used`() async throws {
        let all = try await SLPArchiving.start()
        _ = try await all.service.channel("general", #","chats":5"#)
        let folder = try TemporaryFolder()
        try await all.listening { configuration in
            configuration.service.tokenPath = folder.path + "/tokens.json"
            configuration.service.credentials.password = nil
            configuration.loginCheckInterval = .milliseconds(1)
        } _: {
            await all.reported { $0.state == .needsLogin }
            try await all.service.call({ $0.tokenPath = folder.path + "/tokens.json" }) { client in
                _ = try await client.workspaces()
            }
            try await all.isComplete()
        }
    }

    @Test(arguments: SLPGeneration.allCases, [#"{"access":true}"#, #"{"access":true,"refresh":true}"#])
    func `tokens that expire between histories are renewed, and every history is fetched`(
        generation: SLPGeneration, expired: String
    ) async throws {
        let all = try await SLPArchiving.start(generation)
        let rooms = try await all.rooms(8)
        try await all.service.order("fault", #"{"path":"/chats","after":3,"expire":\#(expired)}"#)
        try await all.listening {
            try await all.isComplete()
            for room in rooms { try await all.say("live", in: room) }
            try await all.isComplete()
        }
        let state = try await all.service.state()
        let isOver = expired.contains("refresh")
        #expect(state.login == (isOver ? 2 : 1) && state.refresh == (isOver ? 0 : 1))
        #expect(state.mostRefreshing <= 1)
    }

    @Test(arguments: SLPGeneration.allCases)
    func `tokens that end between histories without a password leave a gap for the rest`(
        generation: SLPGeneration
    ) async throws {
        let all = try await SLPArchiving.start(generation)
        let folder = try TemporaryFolder()
        // Leaves its tokens there.
        try await all.listening {
            $0.service.tokenPath = folder.path + "/tokens.json"
        } _: {
            await all.reported { $0.state == .connected }
        }
        _ = try await all.rooms(8)
        try await all.service.order(
            "fault", #"{"path":"/chats","after":3,"expire":{"access":true,"refresh":true}}"#)
        try await all.listening { configuration in
            configuration.service.tokenPath = folder.path + "/tokens.json"
            configuration.service.credentials.password = nil
            configuration.fetchesAtOnce = 1
        } _: {
            await all.reported { $0.state == .needsLogin }
            let (stored, gaps) = (try await all.stored(), try await all.gaps())
            #expect(stored.count == 3 * 30)
            #expect(Set(gaps.map(\.room)).count == 8)
        }
        try await all.listening { try await all.isComplete("with a password again") }
    }
}
