import ChatModel
import Foundation
import TestSupport
import Testing

/// Wrong usage, and sources that can not be read.
extension ImportEndToEndTests {
    @Test func `an unreadable source gives status 1, and the rest is imported`() async throws {
        let scrollback = try Program()
        try scrollback.write("[03:41] <alice> hi\n", to: "2026-11-20.log")
        try scrollback.write("[03:41] <alice> hi\n", to: "example.log")
        let result = try await scrollback(
            "import", "energymech", "none.log", "example.log", "2026-11-20.log", "-a", "old", "--room", "#example")
        #expect(result.status == 1)
        #expect(result.errors.contains("scrollback: none.log: No such file or directory; "))
        #expect(result.errors.contains("scrollback: example.log: neither its name nor its lines have a date"))
        #expect(result.errors.contains("[import-source]"))
        #expect(summary(result) == "read 1 line: 1 new message, 0 already stored, 0 invalid")
    }

    @Test func `a negative zone needs no equals sign`() async throws {
        let scrollback = try Program()
        try scrollback.write("[06:23] <alice> hi\n", to: "#example_2026-11-21.log")
        let run = try await scrollback(
            "import", "energymech", "#example_2026-11-21.log", "-a", "old", "--timezone", "-09:30")
        #expect(run.status == 0, "\(run.errors)")
        let history = try await scrollback("history", "--all", "-a", "old", "--format", "jsonl").output
        #expect(history.contains("\"id\": \"2026-11-21T15:53:00.000000Z\""), "\(history)")
    }

    @Test(arguments: [
        (["energymeck", "x", "-a", "old"], "did you mean \"energymech\"?"),
        (["jsonl", "x", "-a", "old", "--timezone", "UTC"], "--timezone can't be used with jsonl"),
        (["energymech", "x", "-a", "old", "--timezone", "Mars/Olympus"], "no time zone \"Mars/Olympus\""),
        (["energymech", "-a", "old"], "no file given"),
        (["-a", "old"], "<path>"),
    ])
    func `wrong usage gives status 64`(arguments: [String], reason: String) async throws {
        let result = try await Program().start(arguments: ["import"] + arguments).result()
        #expect(result.status == 64)
        #expect(result.errors.contains(reason), "\(result.errors)")
    }

    @Test func `without the tz database, a zone's name is an error and an offset is not`() async throws {
        var scrollback = try Program()
        scrollback.environment["TZDIR"] = scrollback.home + "/none"
        try scrollback.write("[06:23] <alice> hi\n", to: "#example_2026-11-21.log")
        let arguments = ["import", "energymech", "#example_2026-11-21.log", "-a", "old", "--timezone"]
        let unknown = try await scrollback.start(arguments: arguments + ["Asia/Seoul"]).result()
        #expect(unknown.status == 64 && unknown.errors.contains("install tzdata"), "\(unknown.errors)")
        #expect(try await scrollback.start(arguments: arguments + ["+09:00"]).result().status == 0)
    }
}
