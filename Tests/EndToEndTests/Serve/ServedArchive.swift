import Foundation
import TestSupport

/// An archive of logs with random content, for comparing what the server and the commands say.
struct ServedArchive {
    let scrollback: Program
    private static let rooms = ["#example", "가족", "a/b", "#ünïcode & <b>"]

    init() throws {
        scrollback = try Program()
    }

    /// Imports random messages into two accounts.
    ///
    /// - Parameter count: The number of messages of each account.
    func fill(_ count: Int = 200, seed: UInt64 = 1) async throws {
        var random = SeededGenerator(seed: seed)
        for account in ["demo", "둘"] {
            var lines = ""
            for number in 0..<count { lines += line(number, &random) + "\n" }
            try scrollback.write(lines, to: "\(account).jsonl")
            let result = try await scrollback("import", "jsonl", "\(account).jsonl", "-a", account, "--unread")
            guard result.status == 0 else { throw WaitedInVain(description: result.errors) }
        }
    }

    private func line(_ number: Int, _ random: inout SeededGenerator) -> String {
        let words = [
            "hello", "server", "안녕", "deploy", "<b>", "\\\"quoted\\\"", "🎉", "https://example.org/x?a=1&b=2", "東京",
        ]
        let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        let sender = ["alice", "bob", "민수", "עברית", ""].randomElement(using: &random) ?? ""
        let room = Self.rooms.randomElement(using: &random) ?? ""
        let kind = ["message", "message", "message", "action", "join", "topic"].randomElement(using: &random) ?? ""
        let seconds = 1_700_000_000 + number * 3600 + Int.random(in: 0..<3000, using: &random)
        let time = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        return """
            {"id": "\(time.dropLast()).000000Z", "room": "\(room)", "kind": "\(kind)", "sender": {"name": "\(sender)"}, \
            "body": "\(text.joined(separator: " "))", "remote_id": "r\(number)", "flags": [\(number % 5 == 0 ? "\"bot\"" : "")]\(reply(number, &random))}
            """
    }

    private func reply(_ number: Int, _ random: inout SeededGenerator) -> String {
        guard number > 0, Int.random(in: 0..<4, using: &random) == 0 else { return "" }
        return ", \"reply_to_remote_id\": \"r\(Int.random(in: 0..<number * 2, using: &random))\""
    }
}
