import ChatModel
import Logging
import TestSupport
import Testing

@testable import Sessions

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct MailboxTests {
    /// A session that counts its inputs.
    private struct Counter: MailboxSession {
        static let id = SessionID(rawValue: 1)
        var receipts = ReceiptClock(last: nil)
        var inputs: Int64 = 0

        mutating func input() -> ChatEvent {
            inputs += 1
            return .signOfLife(session: Self.id, at: Timestamp(microseconds: inputs))
        }

        mutating func ended(_ end: SessionEnd) -> [ChatEvent] {
            [end.event(of: Self.id, at: Timestamp(microseconds: inputs))]
        }
    }

    private let clock = ManualClock()
    private let buffer = EventBuffer()

    private func mailbox() -> Mailbox<Counter> {
        let tools = ListenerTools(clock: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let mailbox = Mailbox(Counter(), tools: tools)
        mailbox.open(buffer)
        return mailbox
    }

    private func events() async -> [ChatEvent] {
        buffer.finish()
        var events: [ChatEvent] = []
        while let batch = await buffer.next() { events += batch }
        return events
    }

    @Test func `events of several tasks are in the order of the inputs, with the end as the last`() async {
        let mailbox = mailbox()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<100 { mailbox.handle { ([$0.input()], ()) } }
                }
            }
        }
        _ = await mailbox.run([{ SessionEnd(reason: .silent) }], until: Signal())
        var times = await events().map { event -> Int64 in
            switch event {
            case .signOfLife(_, let at), .sessionEnded(_, let at, .silent, _): at.microseconds
            default: -1
            }
        }
        #expect(times.popLast() == 800)
        #expect(times == Array(1...800))
    }

    @Test func `reports of several tasks are in the order of the inputs, each after its events`() async {
        let (mailbox, buffer) = (mailbox(), buffer)
        let reports = Watched<[(input: Int64, unstored: Int64)]>([])
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<100 {
                        _ = mailbox.handle { session in
                            ([session.input()], session.inputs)
                        } report: { input in
                            reports.change { $0.append((input, Int64(buffer.unstored))) }
                        }
                    }
                }
            }
        }
        let all = reports.value
        #expect(all.map(\.input) == Array(1...800))
        #expect(all.allSatisfy { $0.unstored == $0.input })
    }

    @Test func `only the first end of a connection counts, and no task runs after it`() async {
        let mailbox = mailbox()
        mailbox.end(SessionEnd(reason: .lost))
        mailbox.end(SessionEnd(reason: .violation))
        let ran = Signal()
        let task: @Sendable () async -> SessionEnd? = {
            ran.set()
            return nil
        }
        let closed = await mailbox.run([task], until: Signal())
        #expect(closed.end.reason == .lost)
        #expect(!ran.isSet)
    }

    @Test(arguments: [
        (EndReason.closed, EndReason.stopped), (.lost, .stopped), (.violation, .violation), (.silent, .silent),
    ])
    func `a peer that hangs up after a stop has not ended the session`(first: EndReason, reason: EndReason) async {
        let (stop, never) = (Signal(), Signal())
        stop.set()
        let closed = await mailbox().run([{ SessionEnd(reason: first) }], until: stop) { await never.wait() }
        #expect(closed.end.reason == reason)
    }

    @Test func `a stop ends the session when it has left`() async {
        let (stop, left) = (Signal(), Signal())
        let forever: @Sendable () async -> SessionEnd? = {
            await Signal().wait()
            return nil
        }
        stop.set()
        let closed = await mailbox().run([forever], until: stop) { left.set() }
        #expect(left.isSet)
        #expect(closed.end == SessionEnd(reason: .stopped))
    }

    @Test func `while a time to wake is waited for, only the latest other time is kept`() async {
        let mailbox = mailbox()
        let woken = Watched<[Duration]>([])
        let end = SessionEnd(reason: .silent)
        async let result = mailbox.atWakes {
            woken.change { $0.append(mailbox.elapsed) }
            return woken.value.count == 2 ? end : nil
        }
        mailbox.wake(at: .seconds(1))
        await clock.sleeper(at: .seconds(1))
        mailbox.wake(at: .seconds(5))
        mailbox.wake(at: .seconds(3))
        await clock.advance(toSleeperAt: .seconds(1))
        await clock.advance(toSleeperAt: .seconds(3))
        #expect(await result == end)
        #expect(woken.value == [.seconds(1), .seconds(3)])
    }
}
