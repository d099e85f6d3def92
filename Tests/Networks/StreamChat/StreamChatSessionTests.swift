import ChatModel
import ScriptedSessions
import StreamChatWire
import Testing

@testable import Sessions
@testable import StreamChat

/// The session by itself: no tasks, no waiting.
struct StreamChatSessionTests {
    private let start = Timestamp(microseconds: 1_790_000_000_000_000)

    private func session(_ configure: (inout StreamChatConfiguration) -> Void = { _ in }) -> StreamChatSession {
        var configuration = StreamChatConfiguration(host: "chat.example", port: 5080, nick: "archiver", room: "lobby")
        configure(&configuration)
        var receipts = ReceiptClock(last: nil)
        return StreamChatSession(
            id: SessionID(rawValue: 1), openedAt: receipts.stamp(ClockReading(start)), elapsed: .zero,
            receipts: receipts,
            decoder: StreamChatDecoder(session: SessionID(rawValue: 1), configuration: configuration, names: []),
            room: configuration.roomReference, silenceLimit: configuration.silenceLimit)
    }

    private func read(_ text: String, at seconds: Double) -> Received {
        Received(bytes: Array(text.utf8), at: start.advanced(by: .seconds(seconds)), filledBuffer: false)
    }

    private func said(_ events: [ChatEvent]) -> [String?] {
        events.compactMap { if case .message(let message, _) = $0 { .some(message.body) } else { nil } }
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

    @Test func `a pause does not end a message while a read is pending`() {
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

    private let lobby = RoomReference(key: "", name: "lobby", kind: .server)

    /// The room's spans, as they begin.
    private func spans(_ events: [ChatEvent]) -> [Timestamp] {
        events.compactMap { if case .roomLive(_, lobby, let at) = $0 { at } else { nil } }
    }

    private func sample(_ session: inout StreamChatSession, at seconds: Double, age: Duration? = .zero)
        -> StreamChatSession.Step
    {
        session.sampled(
            age.map { Acknowledgement(isComplete: true, age: $0) },
            clock: ClockReading(start.advanced(by: .seconds(seconds))), elapsed: .seconds(seconds))
    }

    @Test func `a kernel's acknowledgement is not a sign of life`() {
        var session = session()
        session.sendingJoin()
        for seconds in stride(from: 10.0, through: 600, by: 10) {
            let step = sample(&session, at: seconds)
            #expect(step.events.isEmpty && step.end == nil)
        }
        #expect(!session.isLive)
        #expect(session.lastByte == nil)
        #expect(
            session.ended(SessionEnd(reason: .closed)).last
                == .sessionEnded(
                    session: SessionID(rawValue: 1), at: start, reason: .closed, detail: nil))
    }

    @Test func `a quiet time is covered only when the next byte arrives`() {
        var session = session { $0.framing = .lf }
        session.sendingJoin()
        _ = session.received(read("archiver has joined\n", at: 1), elapsed: .seconds(1))
        #expect(
            sample(&session, at: 10).events == [
                .signOfLife(session: SessionID(rawValue: 1), at: start.advanced(by: .seconds(1)))
            ])
        #expect(sample(&session, at: 3600).events.isEmpty)
        _ = session.received(read("alice::hi\n", at: 7200), elapsed: .seconds(7200))
        #expect(
            sample(&session, at: 7210).events == [
                .signOfLife(session: SessionID(rawValue: 1), at: start.advanced(by: .seconds(7200)))
            ])
        #expect(
            session.ended(SessionEnd(reason: .stopped)).last
                == .sessionEnded(
                    session: SessionID(rawValue: 1), at: start.advanced(by: .seconds(7200)), reason: .stopped,
                    detail: nil))
    }

    @Test(arguments: ["archiver has joined\n", "bob has joined\n", "alice::hi\n", "bob has left\n"])
    func `the first event from a person after the join opens the span`(line: String) {
        var session = session { $0.framing = .lf }
        let early = session.received(read("old::news\n", at: 1), elapsed: .seconds(1))
        #expect(spans(early.events).isEmpty)
        session.sendingJoin()
        let greeting = session.received(read("welcome\n", at: 2), elapsed: .seconds(2))
        #expect(spans(greeting.events).isEmpty, "a server greets whoever connects")
        let first = session.received(read(line, at: 3), elapsed: .seconds(3))
        #expect(spans(first.events) == [start.advanced(by: .seconds(3))])
        #expect(spans(session.received(read(line, at: 4), elapsed: .seconds(4)).events).isEmpty)
    }

    @Test func `a message from before the join opens no span`() {
        var session = session()
        _ = session.received(read("alice::hi", at: 1), elapsed: .seconds(1))
        session.sendingJoin()
        let step = session.wake(readsTaken: 1, elapsed: .seconds(2))
        #expect(said(step.events) == ["hi"])
        #expect(spans(step.events).isEmpty)
    }

    @Test func `the span begins with the first byte of an unfinished message`() {
        var session = session()
        session.sendingJoin()
        _ = session.received(read("alice::a", at: 1), elapsed: .seconds(1))
        _ = session.received(read("b", at: 1.02), elapsed: .milliseconds(1020))
        let step = session.wake(readsTaken: 2, elapsed: .milliseconds(1050))
        #expect(spans(step.events) == [start.advanced(by: .seconds(1))])
        #expect(said(step.events) == ["ab"])
    }

    @Test func `a server with a live kernel is kept, and one that answers nothing is given up`() {
        var session = session()
        for seconds in stride(from: 10.0, through: 600, by: 10) {
            #expect(sample(&session, at: seconds, age: .seconds(5)).end == nil)
        }
        #expect(sample(&session, at: 640, age: nil).end == nil)
        #expect(sample(&session, at: 641, age: nil).end?.reason == .silent)
    }

    @Test func `a session without a byte ends where it began`() {
        var session = session()
        #expect(
            session.ended(SessionEnd(reason: .lost)) == [
                .sessionEnded(session: SessionID(rawValue: 1), at: start, reason: .lost, detail: nil)
            ])
    }
}
