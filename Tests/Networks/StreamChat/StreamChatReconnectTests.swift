import ChatModel
import ScriptedSessions
import Sessions
import StreamChat
import StreamChatWire
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct StreamChatReconnectTests {
    @Test func `nothing happens before start, and a stop before it ends the listener`() async {
        let harness = ListenerHarness()
        harness.send(.stop)
        await harness.run {}
        #expect(harness.connector.attempts == 0)
        #expect(harness.sink.events.isEmpty)
    }

    @Test func `a refusing server is retried after doubling waits`() async {
        let harness = ListenerHarness()
        await harness.run {
            for (attempt, offset) in [1, 3, 7, 15, 31, 63, 123, 183].enumerated() {
                harness.connector.refuse()
                await harness.clock.sleeper(at: .seconds(offset))
                let report = harness.reports.value.last
                #expect(report?.state == .waiting)
                #expect(report?.lastError == "refused")
                #expect(report?.nextTry == harness.time(Double(offset)))
                #expect(
                    harness.sink.events.last
                        == .waiting(
                            attempts: attempt + 1, nextTry: harness.time(Double(offset))))
                await harness.clock.advance(toSleeperAt: .seconds(offset))
            }
            let connection = await harness.joined()
            connection.deliver("archiver has joined", at: harness.time(184))
            await harness.clock.advance(toSleeperAt: .milliseconds(183_030))
            await harness.reported { $0.state == .connected && $0.lastError == nil }
        }
        #expect(harness.connector.attempts == 9)
    }

    @Test func `a stop ends a wait and a connection attempt`() async {
        let waiting = ListenerHarness()
        await waiting.run {
            waiting.connector.refuse()
            await waiting.clock.sleeper(at: .seconds(1))
        }
        let connecting = ListenerHarness()
        await connecting.run { await connecting.connector.attempted(1) }
        #expect(connecting.sink.events.isEmpty)
    }

    @Test func `after a lost connection, the room is joined again in another session`() async {
        let harness = ListenerHarness()
        await harness.run {
            let first = await harness.joined()
            first.end()
            await harness.clock.advance(toSleeperAt: .seconds(1))
            let second = harness.connector.accept()
            await second.sends("USR_NAME::archiver::END")
            second.deliver("alice::hi", at: harness.time(2))
            await harness.sink.wait { if case .chunk(let chunk) = $0 { chunk.session.rawValue == 2 } else { false } }
        }
        #expect(
            harness.sink.shape.filter { $0 != "alive" } == [
                "opened", "room lobby", "ended closed", "waiting 1", "opened", "room lobby", "chunk", "live", "message",
                "parsed 9", "ended stopped",
            ])
    }

    @Test func `a stable connection is followed by a short wait`() async {
        let harness = ListenerHarness()
        await harness.run {
            for offset in [1, 3, 7] {
                harness.connector.refuse()
                await harness.clock.advance(toSleeperAt: .seconds(offset))
            }
            let connection = await harness.joined()
            for tick in stride(from: 17, through: 67, by: 10) {
                await harness.clock.advance(toSleeperAt: .seconds(tick))
            }
            connection.end()
            await harness.clock.sleeper(at: .seconds(68))
        }
        #expect(harness.sink.shape.last == "waiting 0")
    }

    @Test func `reads that a crash left are parsed before the next session, once, under their session`() async {
        let journal = [
            JournalChunk(
                session: SessionID(rawValue: 7), offset: 100, receivedAt: ListenerHarness.epoch,
                bytes: Array("alice::one".utf8)),
            JournalChunk(
                session: SessionID(rawValue: 7), offset: 110,
                receivedAt: ListenerHarness.epoch.advanced(by: .seconds(1)), bytes: Array("alice::two".utf8)),
            JournalChunk(
                session: SessionID(rawValue: 8), offset: 0,
                receivedAt: ListenerHarness.epoch.advanced(by: .seconds(2)), bytes: Array("alice::thr".utf8)),
        ]
        let sink = RecordingSink()
        let state = MemoryState { limit in
            let parsed = sink.events.reduce(into: [SessionID: Int64]()) { parsed, event in
                if case .parsed(let session, let offset) = event { parsed[session] = offset }
            }
            return Array(journal.filter { $0.offset >= parsed[$0.session] ?? 0 }.prefix(limit))
        }
        let harness = ListenerHarness(state: state, sink: sink)
        await harness.run { _ = await harness.joined() }
        #expect(harness.sink.messageTexts == ["alice: one", "alice: two", "alice: thr"])
        let identities = harness.sink.events.compactMap { event in
            if case .message(let message, _) = event { message.remoteID } else { nil }
        }
        #expect(identities == ["7:100", "7:110", "8:0"])
        #expect(
            harness.sink.shape.prefix(9) == [
                "message", "parsed 110", "message", "parsed 120", "message", "parsed 10", "opened",
                "room lobby", "ended stopped",
            ])
    }

    @Test func `a message left in many small reads is assembled`() async {
        let text = Array("alice::\(String(repeating: "x", count: 500))".utf8)
        let journal = text.enumerated().map { index, byte in
            JournalChunk(
                session: SessionID(rawValue: 1), offset: Int64(index),
                receivedAt: ListenerHarness.epoch.advanced(byMicroseconds: Int64(index)), bytes: [byte])
        }
        let sink = RecordingSink()
        let state = MemoryState { limit in
            sink.shape.contains("parsed \(text.count)") ? [] : Array(journal.prefix(limit))
        }
        let harness = ListenerHarness(state: state, sink: sink)
        await harness.run { _ = await harness.joined() }
        #expect(harness.sink.messageTexts == ["alice: \(String(repeating: "x", count: 500))"])
    }

    @Test func `a journal that the store can't mark as parsed doesn't block the next session`() async {
        let chunk = JournalChunk(
            session: SessionID(rawValue: 1), offset: 0, receivedAt: ListenerHarness.epoch, bytes: Array("a::b".utf8))
        let harness = ListenerHarness(state: MemoryState { _ in [chunk] })
        await harness.run { _ = await harness.joined() }
        #expect(harness.sink.messageTexts == ["a: b"])
    }

    @Test func `a fast server is read only as fast as its messages are stored`() async {
        let stored = Mutex(0)
        let sink = RecordingSink { batch in
            for _ in 0..<10 { await Task.yield() }
            let reads = batch.count { if case .chunk = $0 { true } else { false } }
            stored.withLock { $0 += reads }
        }
        let harness = ListenerHarness(sink: sink)
        let ahead = Mutex(0)
        await harness.run({
            $0.bufferBytes = 64 * 1024; $0.framing = .lf
        }) {
            let connection = await harness.joined()
            connection.onHandover.withLock { handover in
                handover = { reads in
                    let lead = reads - stored.withLock { $0 }
                    ahead.withLock { $0 = max($0, lead) }
                }
            }
            // An endless line: 2 MiB without a line feed.
            let read = [UInt8](repeating: 0x61, count: 16 * 1024)
            for _ in 0..<128 { connection.deliver(read, at: harness.time(1), filledBuffer: true) }
            await connection.state.wait { $0.handedOver == 128 }
        }
        // Each read is its bytes and their message: two fill the buffer, two are being stored, two are in hands.
        #expect(ahead.withLock { $0 } <= 8)
        #expect(harness.sink.events.count { if case .chunk = $0 { true } else { false } } == 128)
    }
}
