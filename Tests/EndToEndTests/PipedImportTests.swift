import Foundation
import TestSupport
import Testing

/// `scrollback import` of pipes that are slow, and Ctrl-C while it waits for them.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct PipedImportTests {
    private static let name = "#example.log"

    /// A named pipe that stays open until the value is released.
    private final class Pipe: Sendable {
        private let descriptor: Int32

        init(_ name: String, of scrollback: Program) throws {
            let path = scrollback.home + "/" + name
            try #require(mkfifo(path, 0o600) == 0)
            // A writer alone would wait for the reader.
            descriptor = open(path, O_RDWR | O_CLOEXEC)
        }

        deinit { close(descriptor) }

        func write(_ bytes: [UInt8]) throws {
            try FileHandle(fileDescriptor: descriptor).write(contentsOf: Data(bytes))
        }

        func write(_ text: String) throws { try write(Array(text.utf8)) }
    }

    private func line(_ text: String, second: Int) -> String {
        "2026-11-21 06:23:0\(second) < alice> \(text)\n"
    }

    /// Waits until these texts are stored.
    private func stored(_ texts: [String], _ scrollback: Program, _ run: Run) async throws {
        try await eventually("\(texts) are stored", state: { run.errors }) { () -> Bool? in
            let messages = try? await scrollback.messages(in: "old/#example")
            return messages?.map { $0.body ?? "" } == texts ? true : nil
        }
    }

    @Test(arguments: [[name], ["irssi", name]])
    func `messages from a slow pipe are stored while it is open`(words: [String]) async throws {
        let scrollback = try Program()
        var pipe: Pipe? = try Pipe(Self.name, of: scrollback)
        let run = try scrollback.start(arguments: ["import"] + words + ["-a", "old"])
        try pipe?.write(line("one", second: 1))
        try await stored(["one"], scrollback, run)
        try pipe?.write(line("two", second: 2) + line("three", second: 3))
        try await stored(["one", "two", "three"], scrollback, run)
        #expect(run.isRunning)
        try pipe?.write("2026-11-21 06:23:04 < alice> four")
        pipe = nil
        let result = try await run.result()
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.errors.contains("read 4 lines: 4 new messages, 0 already stored, 0 invalid\n"), "\(result.errors)")
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `a quiet stdin is waited for until its format is known, and its encoding is found later`()
        async throws
    {
        let scrollback = try Program()
        let pipe = try Pipe("pipe", of: scrollback)
        let run = try scrollback.start(
            arguments: ["import", "-", "-a", "old", "--room", "#example"], shell: #"exec "$@" < pipe"#)
        try pipe.write("\n\n")
        try await run.says("stdin: waiting for more, to recognise the format\n")
        try pipe.write(line("one", second: 1))
        try await stored(["one"], scrollback, run)
        let texts = ["오늘 저녁에 뭐 먹을까?", "아까 보낸 파일 봤어? 나중에 봐도 돼", "네 알겠습니다. 우산을 가져갈게요"]
        for (index, text) in texts.enumerated() { try pipe.write(line(text, second: 2 + index).encoded(as: "CP949")) }
        try await stored(["one"] + texts, scrollback, run)
        let result = try await run.stop(SIGINT)
        #expect(result.status == 130)
        #expect(result.errors.contains("stopped after stdin:6; the same command continues\n"), "\(result.errors)")
        #expect(result.errors.contains("  1 file decoded from CP949: stdin\n"), "\(result.errors)")
    }

    @Test func `a compressed pipe can pause within its first bytes`() async throws {
        let scrollback = try Program()
        var pipe: Pipe? = try Pipe(Self.name + ".gz", of: scrollback)
        let run = try scrollback.start("import", Self.name + ".gz", "-a", "old")
        let bytes = Packed.gzip(Array(line("one", second: 1).utf8))
        try pipe?.write(Array(bytes.prefix(12)))
        try await eventually("the pipe is open", state: { run.errors }) { hasOpen(Self.name + ".gz", run) ? true : nil }
        try pipe?.write(Array(bytes.dropFirst(12)))
        pipe = nil
        let result = try await run.result()
        #expect(result.status == 0 && result.errors.contains("read 1 line: 1 new message"), "\(result.errors)")
    }

    /// True if the program has the file open.
    private func hasOpen(_ name: String, _ run: Run) -> Bool {
        let folder = "/proc/\(run.id)/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return numbers.contains { number in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + number))?.hasSuffix("/" + name)
                ?? false
        }
    }

    @Test(arguments: [(SIGINT, [name]), (SIGTERM, ["irssi", name])])
    func `a stop while waiting for a pipe's writer ends the program and stores nothing`(
        signal: Int32, words: [String]
    ) async throws {
        let scrollback = try Program()
        try #require(mkfifo(scrollback.home + "/" + Self.name, 0o600) == 0)
        let run = try scrollback.start(arguments: ["import"] + words + ["-a", "old", "--format", "json"])
        try await eventually("the pipe is open", state: { run.errors }) { hasOpen(Self.name, run) ? true : nil }
        let result = try await run.stop(signal)
        #expect(result.status == 128 + signal)
        #expect(result.errors == "stopped before anything was stored; the same command continues\n")
        #expect(result.output.hasPrefix("{\"files\": []") && result.output.contains("\"complete\": false"))
        #expect(!FileManager.default.fileExists(atPath: scrollback.data))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a stop while recognising a pipe ends the program and stores nothing`(signal: Int32) async throws {
        let scrollback = try Program()
        let pipe = try Pipe(Self.name, of: scrollback)
        let run = try scrollback.start("import", Self.name, "-a", "old")
        try pipe.write("\n")
        try await run.says("waiting for more")
        let result = try await run.stop(signal)
        #expect(result.status == 128 + signal)
        #expect(result.errors.hasSuffix("stopped before anything was stored; the same command continues\n"))
        #expect(!FileManager.default.fileExists(atPath: scrollback.data))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a stop while reading a pipe reports the last line, and the same command continues`(signal: Int32)
        async throws
    {
        let scrollback = try Program()
        let pipe = try Pipe(Self.name, of: scrollback)
        let run = try scrollback.start("import", Self.name, "-a", "old")
        try pipe.write(line("one", second: 1))
        try await stored(["one"], scrollback, run)
        let result = try await run.stop(signal)
        #expect(result.status == 128 + signal)
        #expect(result.errors.contains("stopped after \(Self.name):1; the same command continues\n"))
        #expect(try await scrollback("archive", "check").status == 0)
        try FileManager.default.removeItem(atPath: scrollback.home + "/" + Self.name)
        try scrollback.write(line("one", second: 1) + line("two", second: 2), to: Self.name)
        let again = try await scrollback("import", Self.name, "-a", "old")
        #expect(again.errors.contains("read 2 lines: 1 new message, 1 already stored"), "\(again.errors)")
    }

    @Test func `Ctrl-C on a terminal ends the question for the account and the wait for a pipe`() async throws {
        let scrollback = try Program()
        try scrollback.write(line("one", second: 1), to: "#chat.log")
        let asked = try scrollback.startOnTerminal("import", "--room", "a", scrollback.home + "/#chat.log")
        try await asked.shows("[Y/n/name] ")
        let flags = asked.flags
        try asked.type("\u{3}")
        #expect(try await asked.status() == 130)
        #expect(asked.text.contains("nothing was imported"), "\(asked.text)")
        #expect(asked.isCooked && asked.flags == flags)
        let pipe = try Pipe("pipe", of: scrollback)
        let waiting = try scrollback.startOnTerminal("import", "-a", "old", "--room", "a", scrollback.home + "/pipe")
        try pipe.write("\n")
        try await waiting.shows("waiting for more")
        try waiting.type("\u{3}")
        #expect(try await waiting.status() == 130)
        #expect(waiting.text.contains("stopped before anything was stored"), "\(waiting.text)")
        #expect(waiting.flags == flags)
    }
}
