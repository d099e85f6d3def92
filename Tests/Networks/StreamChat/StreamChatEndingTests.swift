import ChatModel
import ScriptedSessions
import Sessions
import StreamChat
import StreamChatWire
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct StreamChatEndingTests {
    @Test func `stopping sends LEAVE and keeps received messages`() async {
        let harness = ListenerHarness()
        let connection = harness.connector.accept()
        await harness.run {
            await connection.sends("USR_NAME::archiver::END")
            connection.deliver("alice::last words", at: harness.time(3))
        }
        #expect(connection.state.value.sent == ["USR_NAME::archiver::END", "LEAVE::::END"])
        #expect(connection.state.value.isClosed)
        #expect(harness.sink.messageTexts == ["alice: last words"])
        #expect(harness.ends().map(\.reason) == [.stopped])
        #expect(harness.ends().map(\.at) == [harness.time(3)])
        #expect(harness.sink.shape.last == "ended stopped")
        #expect(harness.reports.value.last?.state == .offline)
    }

    @Test func `a server that does not accept LEAVE is left after five seconds`() async {
        let harness = ListenerHarness()
        await harness.run {
            let connection = await harness.joined()
            connection.state.change { $0.acknowledgement = Acknowledgement(isComplete: false, age: .zero) }
            harness.send(.stop)
            await connection.sends("LEAVE::::END")
            await harness.clock.advance(toSleeperAt: .seconds(5))
        }
        #expect(harness.ends().map(\.reason) == [.stopped])
    }

    @Test func `a stop waits for a blocked store only up to its limit`() async {
        let sink = RecordingSink { batch in
            // Until it is cancelled.
            let hasChunk = batch.contains { if case .chunk = $0 { true } else { false } }
            if hasChunk { try await Task.sleep(for: .seconds(3600)) }
        }
        let harness = ListenerHarness(sink: sink)
        await harness.run {
            let connection = await harness.joined()
            connection.deliver("alice::hi", at: harness.time(1))
            await connection.state.wait { $0.handedOver == 1 }
            harness.send(.stop)
            await harness.clock.advance(toSleeperAt: StopTimes.storing)
        }
        #expect(sink.shape.first == "opened" && !sink.shape.contains("chunk"))
    }

    @Test func `a server that closes after our LEAVE counts as our stop`() async {
        let harness = ListenerHarness()
        await harness.run {
            let connection = await harness.joined()
            connection.state.change { $0.acknowledgement = Acknowledgement(isComplete: false, age: .zero) }
            harness.send(.stop)
            await connection.sends("LEAVE::::END")
            connection.end()
        }
        #expect(harness.ends().map(\.reason) == [.stopped])
        #expect(harness.ends().map(\.at) == [harness.time(0)])
        #expect(harness.reports.value.last?.state == .offline)
    }

    @Test func `cancelling ends everything at once`() async throws {
        let harness = ListenerHarness()
        struct Enough: Error {}
        await #expect(throws: Enough.self) {
            try await harness.run {
                let connection = await harness.joined()
                connection.deliver("alice::hi", at: harness.time(1))
                await harness.sink.wait { if case .chunk = $0 { true } else { false } }
                throw Enough()
            }
        }
        #expect(harness.sink.messageTexts == ["alice: hi"])
        #expect(harness.sink.shape.last == "ended stopped")
    }

    @Test func `the server's end of the stream ends the session`() async {
        let harness = ListenerHarness()
        await harness.run {
            let connection = await harness.joined()
            connection.deliver("alice::hi", at: harness.time(1))
            connection.end()
            await harness.reported { $0.state == .waiting && $0.lastError == "the server closed the connection" }
        }
        #expect(harness.sink.messageTexts == ["alice: hi"])
        #expect(harness.ends().map(\.reason) == [.closed])
        #expect(harness.ends().map(\.at) == [harness.time(1)])
    }

    @Test(arguments: [(ConnectionError.Code.reset, EndReason.lost), (.timedOut, .silent)])
    func `a broken connection ends its session at the last sign of life`(
        code: ConnectionError.Code, reason: EndReason
    ) async {
        let harness = ListenerHarness()
        await harness.run {
            let connection = await harness.joined()
            connection.deliver("alice::hi", at: harness.time(1))
            await harness.sink.wait { if case .chunk = $0 { true } else { false } }
            connection.state.change { $0.acknowledgement?.age = .seconds(4) }
            await harness.clock.advance(toSleeperAt: .seconds(10))
            await harness.sink.wait { $0 == .signOfLife(session: SessionID(rawValue: 1), at: harness.time(1)) }
            connection.fail(code)
            await harness.reported { $0.state == .waiting }
        }
        #expect(harness.ends().map(\.reason) == [reason])
        #expect(harness.ends().map(\.at) == [harness.time(1)])
    }

    @Test func `a server that vanishes silently ends the session at its last sign of life`() async {
        let harness = ListenerHarness()
        await harness.run {
            let connection = await harness.joined()
            for (tick, age) in [(10, 2), (20, 12), (30, 22), (40, 32), (50, 42), (60, 52)] {
                await harness.clock.sleeper(at: .seconds(tick))
                connection.state.change { $0.acknowledgement?.age = .seconds(age) }
                await harness.clock.advance(toSleeperAt: .seconds(tick))
            }
            await harness.reported { $0.state == .waiting }
        }
        #expect(harness.ends().map(\.reason) == [.silent])
        #expect(harness.ends().map(\.at) == [harness.time(0)])
        #expect(!harness.sink.shape.contains("alive"))
    }

    @Test func `a clock set back by two hours ends the session, with a gap as long as the outage`() async {
        let harness = ListenerHarness()
        await harness.run({ $0.framing = .lf }) {
            let connection = await harness.joined()
            connection.deliver("alice::before\n", at: harness.time(1))
            harness.setClock(wrongBy: .seconds(-7200))
            connection.deliver(
                "alice::after\n",
                at: ClockReading(wall: harness.time(2).advanced(by: .seconds(-7200)), steady: .seconds(2)))
            await harness.reported { $0.state == .waiting && $0.lastError?.contains("set back") == true }
            await harness.clock.advance(toSleeperAt: .seconds(1))
            let next = harness.connector.accept()
            await next.sends("USR_NAME::archiver::END")
            next.deliver(
                "alice::later\n",
                at: ClockReading(wall: harness.time(14).advanced(by: .seconds(-7200)), steady: .seconds(14)))
            await harness.sink.wait { if case .message(let message, _) = $0 { message.body == "later" } else { false } }
        }
        #expect(harness.ends().map(\.reason) == [.clockStep, .stopped])
        #expect(harness.sink.messageTexts == ["alice: before", "alice: after", "alice: later"])
        let times = harness.sink.events.compactMap { event in
            if case .message(let message, _) = event { message.receivedAt } else { nil }
        }
        // Nothing can be missing between the first two.
        #expect(times.prefix(2) == [harness.time(1), harness.time(1.5)])
        let spans = harness.sink.events.compactMap { if case .roomLive(_, _, let at) = $0 { at } else { nil } }
        let outage = spans.last.map { $0.since(harness.ends()[0].at) } ?? .zero
        #expect(outage >= .seconds(12) && outage < .seconds(12) + .milliseconds(1))
    }
}
