import Foundation
import TestSupport

/// Texts of chats: real ones if there is a corpus, otherwise generated ones of the same shape.
struct SampleChat: Sendable {
    struct Line: Sendable {
        var nick: String
        var text: String
    }

    /// Lines in English, from IRC.
    let latin: [Line]
    let korean: [String]
    /// Logs of the same lines, a file a day as energymech writes them. Removed with the value.
    let logs: TemporaryFolder
    let isReal: Bool

    /// The corpus, in a folder beside the project.
    private static let corpus = "../shared/corpus"
    /// Logs of 173 days of a channel.
    static let archive = corpus + "/ubuntu-irc.tar.gz"

    /// Reads the corpus, or generates as many lines.
    init() throws {
        guard FileManager.default.fileExists(atPath: Self.corpus) else {
            self = try SampleChat(generating: 220_000)
            return
        }
        (logs, isReal) = (try TemporaryFolder(), true)
        try Self.unpack(into: logs.path)
        latin = try Self.read(logs.path)
        korean = try Self.utterances(Self.corpus + "/korean-chat.csv")
    }

    /// - Parameter lines: The number of lines in English. There is one line in Korean for each twelve of them.
    init(generating lines: Int) throws {
        (logs, isReal) = (try TemporaryFolder(), false)
        var generated = GeneratedChat()
        latin = (0..<lines).map { _ in generated.line() }
        korean = (0..<lines / 12).map { _ in generated.utterance() }
        try Self.write(latin, to: logs.path)
    }

    /// Unpacks the logs of the corpus.
    static func unpack(into folder: String) throws {
        _ = try Program(path: "/bin/tar").run(["-xzf", archive, "-C", folder, "--strip-components=1"])
    }

    /// Reads lines such as `[03:41] <alice> hi`, the only lines of people in the files.
    private static func read(_ folder: String) throws -> [Line] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted().flatMap { name in
            let file = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
            return file.split(separator: UInt8(ascii: "\n")).compactMap { bytes -> Line? in
                guard bytes.count > 9, bytes.dropFirst(7).starts(with: " <".utf8),
                    let end = bytes.firstIndex(of: UInt8(ascii: ">")), bytes.endIndex - end > 2
                else { return nil }
                return Line(
                    nick: String(decoding: bytes[(bytes.startIndex + 9)..<end], as: UTF8.self),
                    text: String(decoding: bytes[(end + 2)...], as: UTF8.self))
            }
        }
    }

    /// Returns the first two columns. Skips rows with quoted ones, which are few.
    private static func utterances(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst()
            .filter { !$0.contains("\"") }.flatMap { $0.split(separator: ",").prefix(2).map(String.init) }
    }

    private static func write(_ lines: [Line], to folder: String) throws {
        let day = 1440
        for start in stride(from: 0, to: lines.count, by: day) {
            let text = (start..<min(start + day, lines.count)).map { number in
                let minute = number - start
                let time = String(format: "%02d:%02d", minute / 60, minute % 60)
                return "[\(time)] <\(lines[number].nick)> \(lines[number].text)\n"
            }
            let date = String(format: "2010-%02d-%02d", start / day / 28 + 1, start / day % 28 + 1)
            try text.joined().write(toFile: "\(folder)/\(date).txt", atomically: false, encoding: .utf8)
        }
    }
}

/// Words and people with frequencies by Zipf's law: the n-th is n times less frequent than the first.
private struct GeneratedChat {
    private var random = SeededGenerator(seed: 1)

    mutating func line() -> SampleChat.Line {
        let words = (0..<Int.random(in: 1...20, using: &random)).map { _ in Self.word(rank(64_000)) }
        return SampleChat.Line(nick: "nick\(rank(18_000))", text: words.joined(separator: " "))
    }

    mutating func utterance() -> String {
        (0..<Int.random(in: 2...5, using: &random)).map { _ in Self.hangul(rank(10_000)) }.joined(separator: " ")
    }

    private mutating func rank(_ count: Int) -> Int {
        Int(pow(Double(count), Double.random(in: 0..<1, using: &random)))
    }

    private static func word(_ rank: Int) -> String {
        let consonants = Array("bdfgklmnprst")
        let vowels = Array("aeiou")
        var (rest, word) = (rank, "")
        while rest > 0 {
            word.append(consonants[rest % 12])
            word.append(vowels[rest / 12 % 5])
            rest /= 60
        }
        // As long as an English word, on average.
        word.append(consonants[rank % 12])
        return word
    }

    private static func hangul(_ rank: Int) -> String {
        var (rest, scalars) = (rank, String.UnicodeScalarView())
        while rest > 0 {
            // Every 28th of the 11,172 syllables has no final consonant.
            if let scalar = Unicode.Scalar(UInt32(0xAC00 + rest % 20 * 28 * 20)) { scalars.append(scalar) }
            rest /= 20
        }
        return String(scalars)
    }
}
