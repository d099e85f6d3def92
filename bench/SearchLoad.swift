import ChatModel
import Foundation
import TestSupport

/// An archive that grows, and a text log with the same messages.
final class SearchLoad {
    let sample: SampleArchive
    let log: String
    /// The bytes of the messages' texts.
    private(set) var bytes = 0
    /// The rate of each million.
    private(set) var rates: [Rate] = []
    private let messages: SearchMessages
    private let folder: TemporaryFolder

    /// The number of messages stored in a second, and in a second of processor time.
    struct Rate {
        var wall: Int
        var processor: Int
    }

    /// The number of last messages, which are stored in small batches as a listener stores them.
    private static let heard = 10_000

    init(_ messages: SearchMessages) throws {
        self.messages = messages
        sample = try SampleArchive()
        folder = try TemporaryFolder()
        log = folder.path + "/log.txt"
        try Data().write(to: URL(fileURLWithPath: log))
    }

    /// Fills the archive. Stores the last messages in small batches, as a listener leaves a file.
    func fill(to total: Int) async throws {
        while sample.count < total - Self.heard {
            let (count, before) = (sample.count, sample.storing)
            try await add(to: min((count / 1_000_000 + 1) * 1_000_000, total - Self.heard), batch: 1000)
            let stored = Double(sample.count - count)
            rates.append(
                Rate(
                    wall: Int(stored / (sample.storing.total - before.total)),
                    processor: Int(stored / (sample.storing.processor - before.processor))))
            Progress.say("\(sample.count) messages stored, \(rates[rates.count - 1].wall) a second")
        }
        try await add(to: total, batch: 10)
    }

    private func add(to total: Int, batch: Int) async throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        defer { try? file.close() }
        try file.seekToEnd()
        var text = ""
        try await sample.fill(to: total, batch: batch, at: SearchMessages.time(of:)) { number, session in
            let message = messages[number]
            bytes += message.text.utf8.count
            text += message.logLine
            if text.utf8.count > 1 << 20 {
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
            return [message.event(session)]
        }
        try file.write(contentsOf: Data(text.utf8))
    }
}

/// Progress for the person who waits, on stderr.
enum Progress {
    static func say(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("  … \(text)\n".utf8))
    }
}
