import ChatModel
import Logging
import ScriptedSessions
import TestSupport
import Testing

@testable import IRC
@testable import Sessions
@testable import StreamChat

/// The loop that all networks share, around a network that the test makes up.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SessionLoopTests {
    private final class Account: Sendable {
        let clock = ManualClock()
        let sink: RecordingSink
        let reports = Watched<[ListenerReport]>([])
        let attempts = Watched(0)
        let loginChanged = Signal()

        private let loginAttempts: Int

        init(sink: RecordingSink = RecordingSink(), loginAttempts: Int = 1) {
            (self.sink, self.loginAttempts) = (sink, loginAttempts)
        }

        /// Runs `attempt` again and again beside `body`, and stops after that.
        func run(
            _ attempt: @escaping @Sendable (SessionAttempt) async -> SessionLoop.Outcome, _ body: () async -> Void
        ) async {
            let plain = StreamChatConfiguration(host: "chat.example", port: 5080, nick: "archiver", room: "lobby")
            var login = IRCConfiguration(host: "chat.example", port: 6667, nick: "archiver", rooms: ["#lobby"])
            login.loginAttempts = loginAttempts
            let tools = ListenerTools(
                clock: clock,
                readClocks: { [clock] in ClockReading(ListenerHarness.epoch.advanced(by: clock.now.offset)) },
                random: Highest(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let report: @Sendable (ListenerReport) -> Void = { [reports] report in
                reports.change { $0.append(report) }
            }
            let loop =
                loginAttempts == 1
                ? SessionLoop(WatchedValue(plain), tools, into: sink, state: MemoryState(), report: report)
                : SessionLoop(WatchedValue(login), tools, into: sink, state: MemoryState(), report: report)
            let (inputs, told) = AsyncStream<ListenerInput>.makeStream()
            told.yield(.start)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [attempts, loginChanged] in
                    await loop.run(inputs, send: { "not \($0)" }, loginChanged: loginChanged.wait) { next in
                        attempts.change { $0 += 1 }
                        return await attempt(next)
                    }
                }
                await body()
                told.yield(.stop)
            }
        }
    }

    @Test func `the next try waits for the server's pause and for the usual backoff`() async {
        let account = Account()
        await account.run({ _ in .failed(detail: "banned", pause: .seconds(3)) }) {
            await account.clock.advance(toSleeperAt: .seconds(3))
            await account.clock.advance(toSleeperAt: .seconds(6))
            await account.clock.advance(toSleeperAt: .seconds(10))
            await account.reports.wait { $0.last?.state == .waiting && $0.last?.lastError == "banned" }
        }
        #expect(account.sink.shape.prefix(3) == ["waiting 1", "waiting 2", "waiting 3"])
    }

    @Test func `an archive that can't open a session gives the reason`() async {
        struct Full: Error, CustomStringConvertible {
            var description: String { "disk full" }
        }
        let account = Account(
            sink: RecordingSink { batch in
                if case .sessionOpened = batch.first { throw Full() }
            })
        await account.run({ attempt in
            await attempt.runSession { SessionAttempt.Closed(end: SessionEnd(reason: .closed), receipts: $0.receipts) }
        }) {
            await account.reports.wait {
                $0.last?.lastError == "the archive did not open a session: disk full"
            }
        }
    }

    @Test func `a session that needs a person is retried after the correction`() async {
        let account = Account()
        await account.run({ attempt in
            guard account.attempts.value == 1 else {
                await attempt.stop.wait()
                return .stopped
            }
            return .needsLogin(detail: "wrong password")
        }) {
            await account.reports.wait { $0.last?.state == .needsLogin }
            account.loginChanged.set()
            await account.attempts.wait { $0 == 2 }
        }
        #expect(account.reports.value.map(\.lastError).contains("wrong password"))
        #expect(account.reports.value.last?.state == .offline)
    }

    @Test func `a refused login is retried for 10 minutes before it waits for a person`() async {
        let account = Account(loginAttempts: 3)
        await account.run({ attempt in
            guard account.attempts.value < 4 else {
                await attempt.stop.wait()
                return .stopped
            }
            return .refused(detail: "no services", advice: "change the password")
        }) {
            await account.reports.wait { $0.last?.state == .waiting && $0.last?.nextTry != nil }
            #expect(account.reports.value.last?.lastError == "no services; change the password")
            await account.clock.advance(toSleeperAt: .seconds(132))
            await account.clock.advance(toSleeperAt: .seconds(132 + 528))
            await account.reports.wait { $0.last?.state == .needsLogin }
            #expect(account.reports.value.last?.lastError == "no services, 3 times; change the password")
            account.loginChanged.set()
            await account.attempts.wait { $0 == 4 }
        }
    }

    @Test func `a corrected password ends the wait after a refusal at once`() async {
        let account = Account(loginAttempts: 3)
        await account.run({ attempt in
            guard account.attempts.value == 1 else {
                await attempt.stop.wait()
                return .stopped
            }
            return .refused(detail: "wrong", advice: "change the password")
        }) {
            await account.reports.wait { $0.last?.state == .waiting }
            account.loginChanged.set()
            await account.attempts.wait { $0 == 2 }
        }
        #expect(account.reports.value.allSatisfy { $0.state != .needsLogin })
    }

    @Test func `a successful connection resets the count of refusals`() async {
        let account = Account(loginAttempts: 2)
        await account.run({ attempt in
            switch account.attempts.value {
            case 1, 3: return .refused(detail: "no services", advice: "")
            case 2: return .failed(detail: "closed", uptime: .seconds(100))
            default:
                await attempt.stop.wait()
                return .stopped
            }
        }) {
            await account.clock.advance(toSleeperAt: .seconds(132))
            await account.attempts.wait { $0 == 2 }
            await account.clock.advance(toSleeperAt: .seconds(134))
            await account.clock.advance(toSleeperAt: .seconds(134 + 132))
            await account.attempts.wait { $0 == 4 }
        }
        #expect(account.reports.value.allSatisfy { $0.state != .needsLogin })
    }

    @Test func `the end of a session decides what follows`() async {
        let account = Account()
        await account.run({ attempt in
            await attempt.runSession { opened in
                opened.buffer.push([
                    .sessionEnded(session: opened.id, at: opened.openedAt, reason: .closed, detail: nil)
                ])
                let end = SessionEnd(reason: .closed, outcome: .needsLogin(detail: "expired"))
                return SessionAttempt.Closed(end: end, receipts: opened.receipts)
            }
        }) {
            await account.reports.wait { $0.last?.state == .needsLogin && $0.last?.lastError == "expired" }
        }
        #expect(account.sink.shape == ["opened", "ended closed"])
        #expect(account.attempts.value == 1)
    }

    @Test func `times of receipt continue from one session to the next`() async {
        let account = Account()
        let opened = Watched<[Timestamp]>([])
        await account.run({ attempt in
            await attempt.runSession { session in
                opened.change { $0.append(session.openedAt) }
                var receipts = session.receipts
                // Heard ahead of this machine's clock.
                receipts.advance(to: ListenerHarness.epoch.advanced(by: .seconds(60)))
                return SessionAttempt.Closed(end: SessionEnd(reason: .lost), receipts: receipts)
            }
        }) {
            await account.clock.advance(toSleeperAt: .seconds(1))
            await opened.wait { $0.count == 2 }
        }
        // A second passed between the two.
        #expect(opened.value[1] == ListenerHarness.epoch.advanced(by: .seconds(61)))
    }

    @Test func `a stop ends an attempt that has received nothing`() async {
        let account = Account()
        let begun = Signal()
        await account.run({ _ in
            begun.set()
            await Signal().wait()
            return .failed(detail: "cancelled")
        }) {
            await begun.wait()
        }
        #expect(account.sink.events.isEmpty)
    }
}
