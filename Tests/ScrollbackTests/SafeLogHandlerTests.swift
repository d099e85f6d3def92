import ChatModel
import Foundation
import Logging
import Synchronization
import Testing

@testable import Settings

struct SafeLogHandlerTests {
    private func lines(format: LogRecordFormat, level: Logger.Level = .info, _ body: (Logger) -> Void) -> [String] {
        let lines = Mutex<[String]>([])
        let logger = Logger(label: "network") { label in
            SafeLogHandler(
                label: label, level: level, format: format, clock: { sampleTime },
                write: { line in lines.withLock { $0.append(line) } })
        }
        body(logger)
        return lines.withLock(\.self)
    }

    @Test func `a record is one line with its category and ordered metadata`() {
        let found = lines(format: .text) { logger in
            var logger = logger
            logger[metadataKey: "account"] = "demo"
            logger.info("connected", metadata: ["session": "3", "reason": "a b"])
        }
        #expect(
            found == [
                "2026-11-21T06:23:11.123456Z info network: connected account=demo reason=\"a b\" session=3\n"
            ])
    }

    @Test func `a peer's text can't forge a record or move the cursor`() {
        let found = lines(format: .text) { $0.error("refused", metadata: ["error": "x\n2026 forged\u{1B}[2J\u{9B}"]) }
        #expect(found.count == 1)
        #expect(found[0].hasSuffix("error=\"x\\u{A}2026 forged\\u{1B}[2J\\u{9B}\"\n"))
    }

    @Test func `JSON has one object per line`() throws {
        let found = lines(format: .json) { $0.warning("refused", metadata: ["error": "x\n\u{1B}"]) }
        #expect(
            found == [
                """
                {"time": "2026-11-21T06:23:11.123456Z", "level": "warning", "category": "network", \
                "message": "refused", "metadata": {"error": "x\\n\\u001b"}}\n
                """
            ])
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(found[0].utf8)) }
    }

    @Test func `records below the level are left out`() {
        #expect(lines(format: .text, level: .warning) { $0.info("x") }.isEmpty)
    }

    /// The lines that a burst of a kind leaves, and the first ones after a minute.
    private func written(account: String?, records: Int) -> (burst: [String], later: [String]) {
        let lines = Mutex<[String]>([])
        let time = Mutex(Duration.zero)
        let limiter = LogLimiter(elapsed: { time.withLock(\.self) })
        var logger = Logger(label: "network") { label in
            SafeLogHandler(
                label: label, level: .info, format: .text, limiter: limiter, clock: { sampleTime },
                write: { line in lines.withLock { $0.append(line) } })
        }
        if let account { logger[metadataKey: "account"] = "\(account)" }
        for number in 1...records { logger.warning("a room is not heard", metadata: ["reason": "kicked \(number)"]) }
        let burst = lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
        time.withLock { $0 += LogLimiter.interval }
        logger.warning("a room is not heard", metadata: ["reason": "kicked again"])
        logger.warning("a room is not heard", metadata: ["reason": "kicked once more"])
        logger.warning("connected")
        return (burst, lines.withLock(\.self))
    }

    @Test func `fifty thousand similar records don't fill the log, and are counted`() {
        let (burst, later) = written(account: "demo", records: 50_000)
        #expect(burst.count == LogLimiter.burst)
        #expect(burst.first?.contains("reason=\"kicked 1\"") == true)
        #expect(later.count == 2, "one of the kind, and one of another kind: \(later)")
        #expect(later.first?.contains("kicked again") == true)
        #expect(later.first?.contains("suppressed=\(50_000 - LogLimiter.burst)") == true)
        #expect(later.last?.contains("suppressed") == false)
    }

    @Test func `records suppressed in a flood are reported once, within a minute after it`() {
        let lines = Mutex<[String]>([])
        let time = Mutex(Duration.zero)
        let limiter = LogLimiter(elapsed: { time.withLock(\.self) })
        func logger(_ label: String) -> Logger {
            Logger(label: label) { label in
                SafeLogHandler(
                    label: label, level: .info, format: .text, limiter: limiter, clock: { sampleTime },
                    write: { line in lines.withLock { $0.append(line) } })
            }
        }
        for number in 1...1000 {
            logger("network").warning("a room is not heard", metadata: ["account": "demo", "reason": "\(number)"])
        }
        lines.withLock { $0 = [] }
        time.withLock { $0 += LogLimiter.interval - .seconds(1) }
        limiter.report(to: logger)
        #expect(lines.withLock(\.self).isEmpty)
        time.withLock { $0 += .seconds(1) }
        limiter.report(to: logger)
        limiter.report(to: logger)
        time.withLock { $0 += LogLimiter.interval * 2 }
        limiter.report(to: logger)
        #expect(
            lines.withLock(\.self) == [
                "2026-11-21T06:23:11.123456Z warning network: a room is not heard account=demo suppressed=980\n"
            ])
    }

    @Test func `a value of megabytes is cut`() {
        let long = String(repeating: "가", count: 1 << 20)
        let found = lines(format: .text) { $0.warning("refused", metadata: ["reason": "\(long)"]) }
        #expect(found.count == 1 && (found.first?.utf8.count ?? 0) < 1200)
    }

    @Test func `records without an account are not limited`() {
        #expect(written(account: nil, records: 1000).burst.count == 1000)
    }

    @Test func `each account has its own limit, which recovers after a rest`() {
        let time = Mutex(Duration.zero)
        let limiter = LogLimiter(elapsed: { time.withLock(\.self) })
        func spend(_ account: String) -> LogLimiter.Verdict {
            limiter.verdict("connected", label: "network", metadata: ["account": "\(account)"])
        }
        for _ in 1...LogLimiter.burst { #expect(spend("a") == .write(suppressed: 0)) }
        #expect(spend("a") == .suppress)
        #expect(spend("b") == .write(suppressed: 0))
        time.withLock { $0 += LogLimiter.interval * LogLimiter.burst }
        #expect(spend("a") == .write(suppressed: 1))
        for _ in 2...LogLimiter.burst { #expect(spend("a") == .write(suppressed: 0)) }
        #expect(spend("a") == .suppress)
    }

    @Test func `each reason for refused requests has its own limit over all peers`() {
        let limiter = LogLimiter(elapsed: { .zero })
        func refuse(_ reason: String, peer: Int) -> LogLimiter.Verdict {
            limiter.verdict(
                "request refused", label: "serve", metadata: ["refused": "\(reason)", "peer": "192.0.2.\(peer)"])
        }
        for peer in 1...LogLimiter.burst { #expect(refuse("unauthorized", peer: peer) == .write(suppressed: 0)) }
        #expect(refuse("unauthorized", peer: 100) == .suppress)
        #expect(refuse("origin", peer: 100) == .write(suppressed: 0))
    }
}
