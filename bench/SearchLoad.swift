import ChatModel
import Foundation
import TestSupport

/// An archive that grows, and the same messages as a text log.
final class SearchLoad {
    let sample: SampleArchive
    let log: String
    /// Of the messages' texts.
    private(set) var bytes = 0
    private let messages: SearchMessages
    private let folder: TemporaryFolder

    /// What comes last is stored as it is heard.
    private static let heard = 10_000

    init(_ messages: SearchMessages) throws {
        self.messages = messages
        sample = try SampleArchive()
        folder = try TemporaryFolder()
        log = folder.path + "/log.txt"
        try Data().write(to: URL(fileURLWithPath: log))
    }

    /// The last ones in small batches, as a listener leaves a file.
    /// - Returns: how many were stored in a second, of each million.
    func fill(to total: Int) async throws -> [Int] {
        var rates: [Int] = []
        while sample.count < total - Self.heard {
            let (count, time) = (sample.count, sample.storing.total)
            try await add(to: min((count / 1_000_000 + 1) * 1_000_000, total - Self.heard), batch: 1000)
            rates.append(Int(Double(sample.count - count) / (sample.storing.total - time)))
            Progress.say("\(sample.count) messages stored, \(rates[rates.count - 1]) a second")
        }
        try await add(to: total, batch: 10)
        return rates
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

/// What a person who waits wants to know, on stderr.
enum Progress {
    static func say(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("  … \(text)\n".utf8))
    }
}
