import ChatModel
import Foundation
import Logging
import Synchronization
import Testing

@testable import Scrollback

struct SafeLogHandlerTests {
    private func lines(format: LogFormat, level: Logger.Level = .info, _ body: (Logger) -> Void) -> [String] {
        let lines = Mutex<[String]>([])
        let logger = Logger(label: "network") { label in
            SafeLogHandler(
                label: label, level: level, format: format, clock: { sampleTime },
                write: { line in lines.withLock { $0.append(line) } })
        }
        body(logger)
        return lines.withLock(\.self)
    }

    @Test func `a record is one line with its category and metadata in order`() {
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

    @Test func `what a peer sends can't make another record or move the cursor`() {
        let found = lines(format: .text) { $0.error("refused", metadata: ["error": "x\n2026 forged\u{1B}[2J\u{9B}"]) }
        #expect(found.count == 1)
        #expect(found[0].hasSuffix("error=\"x\\u{A}2026 forged\\u{1B}[2J\\u{9B}\"\n"))
    }

    @Test func `JSON has one object a line`() throws {
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
}
