import Archive
import ChatModel
import Logging
import SLPWire
import ScriptedSessions
import StreamChat
import StreamChatWire
import TestSupport
import Testing

@testable import SLP
@testable import Sessions

/// What a stop leaves behind, and what it does not wait for.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct ListenerStoppingTests {
    private let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func service(_ port: Int) throws -> SLPConfiguration {
        let origin = try #require(HTTPOrigin("http://127.0.0.1:\(port)"))
        let credentials = SLPCredentials(appKey: "key", email: "alice@example.net", password: "secret")
        return SLPConfiguration(server: origin, credentials: credentials, generation: .two)
    }

    // MARK: Logins

    @Test func `a hanging login ends with the task that waits for it, and none follows`() async throws {
        let server = try await StalledServer.start(StalledServer.Script(), .silent)
        defer { server.stop() }
        let configuration = try service(server.port)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: CancellationError.self) {
                    try await SLPClient.with(configuration, logger: quiet) { try await $0.workspaces() }
                }
            }
            await server.stalled.wait { $0 == 1 }
            group.cancelAll()
        }
        #expect(server.stalled.value == 1)
    }

    @Test func `a task that gives up a shared login does not end it`() async throws {
        let server = try RawServer()
        let configuration = try service(server.port)
        try await SLPClient.with(configuration, logger: quiet) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let workspaces = try await client.workspaces()
                    #expect(workspaces.isEmpty)
                }
                let socket = try await server.accept()
                try await socket.waitFor("POST /v1/users/login")
                await withTaskGroup(of: Void.self) { hasty in
                    hasty.addTask { await #expect(throws: CancellationError.self) { try await client.workspaces() } }
                    hasty.cancelAll()
                }
                try socket.send(StalledServer.answer(#"{"token":{"accessToken":"a","refreshToken":"r"}}"#))
                try await socket.waitFor("GET /v1/workspaces")
                try socket.send(StalledServer.answer("[]"))
                try await group.waitForAll()
            }
        }
    }

    @Test func `a client that stops renewing ends a login and starts none`() async throws {
        let server = try await StalledServer.start(StalledServer.Script(), .silent)
        defer { server.stop() }
        try await SLPClient.with(try service(server.port), logger: quiet) { client in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await #expect(throws: CancellationError.self) { try await client.workspaces() } }
                await server.stalled.wait { $0 == 1 }
                client.stopRenewing()
            }
            await #expect(throws: CancellationError.self) { try await client.workspaces() }
        }
        #expect(server.stalled.value == 1)
    }

    @Test func `leaving a client does not wait for an opening connection`() async throws {
        let server = try FullServer()
        let configuration = try service(server.port)
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try? await SLPClient.with(configuration, logger: quiet) { try await $0.workspaces() }
            }
            await Task.yield()
            group.cancelAll()
        }
        // An attempt to connect takes 10 s.
        #expect(ContinuousClock.now - start < .seconds(8))
    }

    // MARK: What is not stored

    @Test
    func `events that a stop leaves unstored are a gap, and the report counts them`()
        async
    {
        let (isHeld, release) = (Signal(), Signal())
        let harness = ListenerHarness(
            sink: RecordingSink { batch in
                let isSlow = batch.contains {
                    if case .message(let message, _) = $0 { message.body == "slow" } else { false }
                }
                guard isSlow else { return }
                isHeld.set()
                await release.wait()
            })
        await harness.run({ $0.framing = .lf }) {
            let connection = await harness.joined()
            connection.deliver("alice::hi\n", at: harness.time(1))
            await harness.sink.wait { if case .message = $0 { true } else { false } }
            connection.deliver("alice::slow\n", at: harness.time(2))
            await isHeld.wait()
            connection.deliver("alice::lost\n", at: harness.time(3))
            harness.send(.stop)
            await harness.clock.advance(toSleeperAt: StopTimes.storing)
            await harness.reported { $0.unstored > 0 }
            release.set()
        }
        #expect(harness.sink.messageTexts.first == "alice: hi")
        #expect(!harness.sink.messageTexts.contains("alice: lost"))
        let ends = harness.ends()
        #expect(ends.map(\.reason) == [.store])
        // No claim reaches behind what is stored.
        #expect(ends.map(\.at) == [harness.time(0)])
        #expect(harness.reports.value.last.map { $0.unstored > 0 && $0.state == .offline } == true)
    }

    @Test func `events count as unstored until the next batch is requested`() async {
        let buffer = EventBuffer()
        func sign(_ time: Int64) -> ChatEvent {
            .signOfLife(session: SessionID(rawValue: 1), at: Timestamp(microseconds: time))
        }
        buffer.push([sign(1), sign(2)])
        #expect(buffer.unstored == 2)
        _ = await buffer.next()
        buffer.push([sign(3)])
        #expect(buffer.unstored == 3)
        _ = await buffer.next()
        #expect(buffer.unstored == 1)
        buffer.push([sign(4)])
        buffer.abandon()
        buffer.push([sign(5)])
        #expect(buffer.unstored == 3)
        #expect(await buffer.next() == nil)
    }
}
