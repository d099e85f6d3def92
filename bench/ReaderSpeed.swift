import Archive
import ChatModel
import Foundation
import TestSupport

/// Measures `scrollback read` on a terminal of 80x24 in a large room: the time from a key to the last byte of its screen, and the
/// peak memory.
///
/// - Throws: ``BenchmarkError`` when a figure is not met.
func runReader() async throws {
    Table.title("The reader on a terminal, in the room with most messages: from a key to the end of its screen, in ms")
    let (chat, sample) = (try SampleChat(), try SampleArchive())
    let messages = SearchMessages(chat: chat)
    try await sample.fill(
        to: Scale.choose("messages", 500_000, long: 10_000_000), at: SearchMessages.time(of:)
    ) { [messages[$0].event($1)] }
    let words = SearchWords(chat).latin
    guard words.count > ReaderSpeed.usualRank else { throw BenchmarkError("the chat has too few words") }
    try ReaderSpeed(sample).measure(usual: words[ReaderSpeed.usualRank], common: words[0])
}

/// A running reader, and the figures that its keys have to meet.
private struct ReaderSpeed {
    /// The rank of a word that people search for, by frequency: it is in one of some hundred messages.
    static let usualRank = 200
    /// The limits of medians in seconds. A person sees a key's effect at once within a frame of a screen of 60 Hz.
    private static let (key, page, years) = (0.016, 0.050, 0.150)
    /// The limit of memory in MiB.
    private static let memory = 30

    private let terminal: Terminal
    /// The archive, whose folder is gone with the value.
    private let sample: SampleArchive

    init(_ sample: SampleArchive) throws {
        self.sample = sample
        var environment = ProcessInfo.processInfo.environment
        environment["TERM"] = "xterm-256color"
        terminal = try Terminal(
            [Program().path, "read", "#ubuntu", "--data", sample.folder], environment: environment)
    }

    /// Measures all keys.
    ///
    /// - Parameters:
    ///   - usual: A word to search for.
    ///   - common: The most frequent word.
    func measure(usual: String, common: String) throws {
        Table.row("the first screen", milliseconds(try press("")))
        try check("j, k: the next message, the one before", (0..<50).map { $0 % 2 == 0 ? "k" : "j" }, Self.key)
        try check("Page Up", Array(repeating: "\u{1B}[5~", count: 200), Self.page)
        try check("Page Down", Array(repeating: "\u{1B}[6~", count: 100), Self.page)
        try check("Home, End", (0..<20).map { $0 % 2 == 0 ? "\u{1B}OH" : "\u{1B}OF" }, Self.page)
        try check("g: a date", ["2016-02-01", "2016-03-01", "2016-02-11", "2016-03-11"].map { "g\($0)\r" }, Self.page)
        try check("[, ]: a day", (0..<10).map { $0 % 2 == 0 ? "[" : "]" }, Self.page)
        try search(usual, "a word's hits and their years", Self.years)
        try check("Enter: a hit among its neighbours", ["\r"], Self.page)
        try check("n: the next hit", Array(repeating: "n", count: 20), Self.page)
        try search(common, "the most frequent word's hits and their years", nil)
        let memory = try peak()
        Table.row("memory, resident at most, in MiB", "\(memory / 1024)", "(at most \(Self.memory))")
        guard memory <= Self.memory * 1024 else { throw BenchmarkError("the reader takes \(memory) KiB") }
    }

    private func check(_ name: String, _ keys: [String], _ limit: Double) throws {
        var times = Sample()
        for key in keys { times.add(try press(key)) }
        try report(name, times.median, limit)
    }

    /// Measures the last letter of a query.
    private func search(_ word: String, _ name: String, _ limit: Double?) throws {
        _ = try press("\u{1B}")
        _ = try press("/" + word.dropLast(), pause: 1.5)
        try report("\(name): \(word)", try press(String(word.suffix(1)), pause: 1.5), limit)
    }

    private func report(_ name: String, _ seconds: Double, _ limit: Double?) throws {
        Table.row(name, milliseconds(seconds), limit.map { "(at most \(milliseconds($0)))" } ?? "")
        if let limit, seconds > limit { throw BenchmarkError("the reader takes \(milliseconds(seconds)) ms: \(name)") }
    }

    /// Presses keys, and waits until the screen stands.
    ///
    /// - Parameter pause: The time without output in seconds after which it does.
    /// - Returns: The seconds from the keys to the last output; 0 without any within 5 s.
    private func press(_ keys: String, pause: Double = 0.1) throws -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        var last = start
        if !keys.isEmpty { try terminal.type(keys) }
        while terminal.hasOutput(within: last == start ? 5 : pause) {
            terminal.forget()
            last = DispatchTime.now().uptimeNanoseconds
        }
        return Double(last - start) / 1e9
    }

    /// Returns the peak resident memory in KiB.
    private func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(terminal.id)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let value = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchmarkError("the reader has ended")
        }
        return value
    }

    private func milliseconds(_ seconds: Double) -> String { String(format: "%.1f", seconds * 1000) }
}
