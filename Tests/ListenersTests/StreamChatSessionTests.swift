import ChatModel
import Testing

@testable import Listeners

/// The session by itself: no tasks, no waiting.
struct StreamChatSessionTests {
    private let start = Timestamp(microseconds: 1_790_000_000_000_000)

    private func session(_ configure: (inout StreamChatConfiguration) -> Void = { _ in }) -> StreamChatSession {
        var configuration = StreamChatConfiguration(host: "chat.example", port: 5080, nick: "archiver", room: "lobby")
        configure(&configuration)
        var receipts = ReceiptClock(last: nil)
        return StreamChatSession(
            id: SessionID(rawValue: 1), openedAt: receipts.stamp(start), elapsed: .zero, receipts: receipts,
            decoder: StreamChatDecoder(session: SessionID(rawValue: 1), configuration: configuration, names: []),
            room: configuration.roomReference, silenceLimit: configuration.silenceLimit)
    }

    private func read(_ text: String, at seconds: Double) -> Received {
        Received(bytes: Array(text.utf8), at: start.advanced(by: .seconds(seconds)), filledBuffer: false)
    }

    private func said(_ events: [ChatEvent]) -> [String?] {
        events.compactMap { if case .message(let message) = $0 { .some(message.body) } else { nil } }
    }

    @Test func `the pause that ends a message is measured from its last read`() {
        var session = session()
        _ = session.received(read("alice::a", at: 1), elapsed: .seconds(1))
        #expect(session.wakeAt == .milliseconds(1030))
        _ = session.received(read("b", at: 1.02), elapsed: .milliseconds(1020))
        #expect(session.wakeAt == .milliseconds(1050))
        #expect(session.wake(readsTaken: 2, elapsed: .milliseconds(1030)).events.isEmpty)
        #expect(said(session.wake(readsTaken: 2, elapsed: .milliseconds(1050)).events) == ["ab"])
        #expect(session.wakeAt == nil)
    }

    @Test func `a pause ends nothing while a read is on its way here`() {
        var session = session()
        _ = session.received(read("alice::a", at: 1), elapsed: .seconds(1))
        #expect(session.wake(readsTaken: 2, elapsed: .seconds(2)).events.isEmpty)
        _ = session.received(read("b", at: 1.02), elapsed: .seconds(2))
        #expect(said(session.wake(readsTaken: 2, elapsed: .seconds(3)).events) == ["ab"])
    }

    @Test func `an incomplete character is waited for a second longer`() {
        var session = session()
        let bytes = Array("alice::안".utf8)
        _ = session.received(
            Received(bytes: Array(bytes.dropLast()), at: start, filledBuffer: false), elapsed: .zero)
        #expect(session.wakeAt == .milliseconds(1030))
    }

    @Test func `an acknowledgement is a sign of life only when all that was read is in`() {
        var session = session()
        session.sendingJoin()
        session.sentJoin()
        let acknowledgement = Acknowledgement(isComplete: true, age: .seconds(1))
        let early = session.sampled(
            acknowledgement, readsTaken: 1, clock: start.advanced(by: .seconds(10)), elapsed: .seconds(10))
        #expect(early.events.isEmpty)
        #expect(!session.isLive)
        let received = session.received(read("alice::a", at: 3), elapsed: .seconds(10))
        #expect(
            received.events.first
                == .roomLive(
                    session: SessionID(rawValue: 1), room: RoomReference(key: "", name: "lobby", kind: .server),
                    at: start.advanced(by: .seconds(3))))
        let late = session.sampled(
            acknowledgement, readsTaken: 1, clock: start.advanced(by: .seconds(20)), elapsed: .seconds(20))
        #expect(late.events == [.signOfLife(session: SessionID(rawValue: 1), at: start.advanced(by: .seconds(19)))])
    }

    @Test func `neither an acknowledgement nor a byte from before the join makes the room live`() {
        var session = session()
        let acknowledgement = Acknowledgement(isComplete: true, age: .zero)
        _ = session.sampled(acknowledgement, readsTaken: 0, clock: start, elapsed: .zero)
        _ = session.received(read("welcome", at: 1), elapsed: .seconds(1))
        #expect(!session.isLive)
        session.sendingJoin()
        _ = session.sampled(acknowledgement, readsTaken: 1, clock: start, elapsed: .seconds(1))
        #expect(!session.isLive)
        session.sentJoin()
        _ = session.sampled(acknowledgement, readsTaken: 1, clock: start, elapsed: .seconds(1))
        #expect(session.isLive)
    }

    @Test func `a slow store does not make a living server a silent one`() {
        var session = session()
        for seconds in stride(from: 10, through: 600, by: 10) {
            let step = session.sampled(
                Acknowledgement(isComplete: true, age: .seconds(5)), readsTaken: 8,
                clock: start.advanced(by: .seconds(seconds)), elapsed: .seconds(seconds))
            #expect(step.end == nil)
            #expect(step.events.isEmpty)
        }
    }

    @Test func `where the kernel tells nothing, only bytes are signs of life`() {
        var session = session()
        #expect(session.sampled(nil, readsTaken: 0, clock: start, elapsed: .seconds(45)).end == nil)
        #expect(session.sampled(nil, readsTaken: 0, clock: start, elapsed: .seconds(46)).end?.reason == .silent)
    }

    @Test func `no later message is earlier than a sign of life`() {
        var session = session()
        _ = session.sampled(
            Acknowledgement(isComplete: true, age: .zero), readsTaken: 0, clock: start.advanced(by: .seconds(60)),
            elapsed: .zero)
        let events = session.received(read("alice has joined", at: 30), elapsed: .seconds(1)).events
        let times = events.compactMap { if case .chunk(let chunk) = $0 { chunk.receivedAt } else { nil } }
        #expect(times == [start.advanced(by: .seconds(60)).advanced(byMicroseconds: 1)])
    }

    @Test func `a session without a byte ends where it began`() {
        var session = session()
        #expect(
            session.ended(SessionEnd(reason: .lost)) == [
                .sessionEnded(session: SessionID(rawValue: 1), at: start, reason: .lost, detail: nil)
            ])
    }
}
