import Archive
import ChatModel
import Checks
import LogFormats
import TestSupport
import Testing
import Writing

@testable import Scrollback

/// What holds of every import, whatever the file is.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))), .disabled(if: QuickCheck.isRunning))
struct ImportOracleTests {
    private let folder: TemporaryFolder
    private let archive: Archive

    init() throws {
        folder = try TemporaryFolder()
        archive = Archive(folder: folder.path + "/data")
    }

    private func store(
        _ lines: [ImportedLine], into name: String, batch: Int = 7, now: Timestamp = RandomSource.now
    ) async throws -> ImportTally {
        let writer = try await archive.openWriter(AccountIdentity(name: name, network: "log"))
        var tally = ImportTally()
        for start in stride(from: 0, to: lines.count, by: batch) {
            let part = Array(lines[start..<min(start + batch, lines.count)])
            tally = tally + (try await writer.importLines(part, at: now))
        }
        try await writer.close()
        return tally
    }

    private func messages(_ lines: [ImportedLine]) -> [ImportedMessage] {
        lines.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    private func failures(_ lines: [ImportedLine]) -> Int {
        lines.count { if case .unreadable = $0 { true } else { false } }
    }

    @Test(arguments: RandomSource.kinds)
    func `every line is a stored message or a failure, and importing again adds nothing`(kind: String)
        async throws
    {
        for seed in 0..<UInt64(3) {
            var source = RandomSource(kind, count: 50, seed: seed)
            let bad = RandomSource.badLines(kind)
            source.insert(bad, seed: seed)
            let lines = try source.lines()
            #expect(messages(lines).count == 50)
            #expect(failures(lines) == bad.count)
            let name = "\(kind)-\(seed)"
            let first = try await store(lines, into: name)
            #expect(first == ImportTally(new: 50, failed: bad.count), "seed \(seed)")
            #expect(try await archive.rehearseImport(into: name).add(lines).known == 50, "seed \(seed)")
            for batch in [1, 1000] {
                let again = try await store(lines, into: name, batch: batch)
                #expect(again == ImportTally(known: 50, failed: bad.count), "seed \(seed)")
            }
            #expect(try archive.check(accounts: [name]).flatMap(\.problems).isEmpty)
        }
    }

    @Test(arguments: RandomSource.kinds)
    func `one bad line changes no other line's result`(kind: String) throws {
        for seed in 0..<UInt64(8) {
            let source = RandomSource(kind, count: 40, seed: seed)
            let good = messages(try source.lines())
            for bad in RandomSource.badLines(kind) {
                var spoilt = source
                spoilt.insert([bad], seed: seed)
                let lines = try spoilt.lines()
                #expect(messages(lines) == good, "seed \(seed), \(bad)")
                #expect(failures(lines) == 1)
            }
        }
    }

    @Test func `the random sources and the samples cover every known format`() {
        let formats = RandomSource.kinds.map { RandomSource($0, count: 0, seed: 0).format.name }
        #expect(Set(formats + FormatSample.all.map(\.format)) == Set(KnownLogFormats.all.map { $0.name }))
    }

    @Test(arguments: RandomSource.kinds)
    func `a truncated or damaged source never traps, and chunks change nothing`(
        kind: String
    ) throws {
        var generator = SeededGenerator(seed: 11)
        for seed in 0..<UInt64(40) {
            let source = RandomSource(kind, count: 8, seed: seed)
            var bytes = source.bytes
            if seed % 2 == 0 {
                bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
            } else {
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    let start = Int.random(in: 0..<bytes.count, using: &generator)
                    let end = min(bytes.count, start + Int.random(in: 0...4, using: &generator))
                    let words: [[UInt8]] = [
                        [], [0xFF], [0], Array("\"}]".utf8), Array("</div>".utf8), Array("\n".utf8),
                    ]
                    bytes.replaceSubrange(start..<end, with: words.randomElement(using: &generator) ?? [])
                }
            }
            func lines(_ size: Int) -> [ImportedLine]? { try? source.lines(of: bytes, inPartsOf: size) }
            let whole = lines(.max / 2)
            for size in [1, 7, 100] { #expect(lines(size) == whole, "seed \(seed), parts of \(size)") }
        }
    }

    /// A date in a log whose lines have none is that of the lines after it, too.
    @Test(arguments: RandomSource.kinds.filter { !["energymech", "znc", "irssi", "mirc", "hexchat"].contains($0) })
    func `only a line that was impossible at the first import is new later`(kind: String)
        async throws
    {
        guard let future = RandomSource.badLines(kind).first(where: { $0.contains("2036") }) else { return }
        var source = RandomSource(kind, count: 30, seed: 5)
        source.insert([future], seed: 5)
        #expect(try await store(source.lines(), into: kind) == ImportTally(new: 30, failed: 1))
        let later = RandomSource.now.advanced(by: .seconds(20 * 365 * 86_400))
        let lines = try source.lines(now: later)
        #expect(try await store(lines, into: kind, now: later) == ImportTally(new: 1, known: 30))
        #expect(try await store(lines, into: kind, now: later) == ImportTally(known: 31))
    }

    @Test func `lines that continue a message with an impossible time are kept with it`() throws {
        for (kind, bad) in [
            ("whatsapp", "21/11/2036, 06:23 - mallory: one"), ("whatsapp", "31/02/2026, 06:23 - mallory: one"),
            ("kakaotalk", "2036년 11월 21일 오전 6:23, mallory : one"), ("kakaotalk", "2026년 2월 31일 6:23, mallory : one"),
            ("kakaotalk-rows", "2036-11-21 06:23:11,\"mallory\",\"one"), ("line", "2036/11/21(金) 06:23\tmallory\tone"),
            ("line", "2026/02/31(土) 06:23\tmallory\t\"one"),
            ("weechat", "2036-11-21 06:23:11\tmallory\tone"), ("weechat", "2026-02-31 06:23:11\tmallory\tone"),
        ] {
            var source = RandomSource(kind, count: 5, seed: 1)
            let good = messages(try source.lines())
            source.insert([bad + "\ntwo\n\nthree"], seed: 2)
            let lines = try source.lines()
            #expect(messages(lines) == good)
            let payloads = lines.compactMap { line in
                if case .unreadable(let line) = line { String(decoding: line.payload, as: UTF8.self) } else { nil }
            }
            #expect(payloads == [bad + "\ntwo\n\nthree"])
        }
    }

    @Test func `a line without a time after an event is invalid`() throws {
        var source = RandomSource("weechat", count: 0, seed: 0)
        source.insert(
            [
                "2026-11-21 10:00:00\t-->\talice (a@b) has joined #example\nand more",
                "2026-11-21 10:00:01\t*\talice waves\nand more",
            ],
            seed: 0)
        let lines = try source.lines()
        #expect(messages(lines).compactMap(\.body).filter { $0.contains("waves") } == ["waves\nand more"])
        #expect(messages(lines).contains { $0.kind == .join })
        #expect(failures(lines) == 1)
    }
}
