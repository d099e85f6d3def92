import Archive
import ChatModel
import Foundation
import Reading
import TestSupport

/// Measures what the kept counts answer, as whole commands: the same with 1 million messages and more, beside DuckDB that counts the
/// rows of the same file; the bytes that the counts take; and the list of 10,000 rooms.
func runCounts() async throws {
    let most = Scale.choose("millions of messages", 1, long: 10)
    let counts = try CountTimes()
    for millions in Set([1, most]).sorted() {
        try await counts.fill(to: millions * 1_000_000)
        try counts.report(millions)
    }
    try await RoomListTimes.report()
}

/// The times of commands that count the messages of an account.
private final class CountTimes {
    private let messages: SearchMessages
    private let sample: SampleArchive
    private let program: Program
    /// The number of runs of a command, of which the median counts.
    private static let runs = 11

    /// The questions by the names that `bench/counts_duckdb.py` gives them.
    private static let questions: [(name: String, arguments: [String])] = [
        ("stats", ["stats"]), ("stats of a room", ["stats", "#korean"]),
        ("stats of a year", ["stats", "--after", "2016-03", "--before", "2017-03"]),
        ("by room", ["search", "--by", "room"]), ("by user", ["search", "--by", "user"]),
        ("by day", ["search", "--by", "day"]), ("by month, user", ["search", "--by", "month,user"]),
        ("by hour, user", ["search", "--by", "hour,user"]), ("unread", ["unread"]), ("rooms", ["rooms"]),
    ]

    init() throws {
        messages = SearchMessages(chat: try SampleChat())
        sample = try SampleArchive()
        program = try Program()
    }

    func fill(to total: Int) async throws {
        try await sample.fill(to: total, at: SearchMessages.time(of:)) { [messages[$0].event($1)] }
    }

    func report(_ millions: Int) throws {
        let other = duckDB()
        Table.title("Whole commands, in ms, with \(millions) million messages; DuckDB counts rows, without starting")
        Table.columns(
            ["scrollback", "DuckDB"],
            try Self.questions.map { name, arguments in
                (name, [milliseconds(try time(arguments)), other[name].map(milliseconds) ?? "-"])
            })
        let tables = try FileSize(path: try sample.file, byTable: true).tables
        for table in tables where ["message_count", "room_span"].contains(table.name) {
            Table.row("bytes a message: \(table.name)", hundredths(Double(table.bytes) / Double(sample.count)))
        }
    }

    private func time(_ arguments: [String]) throws -> Double {
        let times = try (0..<Self.runs).map { _ in
            try program.run(arguments + ["--utc", "--data", sample.folder]).wall / .seconds(1)
        }
        return times.sorted()[times.count / 2]
    }

    /// Returns DuckDB's seconds for each question; empty without `.venv`.
    private func duckDB() -> [String: Double] {
        let python = Program(path: ".venv/bin/python")
        guard let file = try? sample.file, let output = try? python.run(["-B", "bench/counts_duckdb.py", file]).output
        else { return [:] }
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map { $0.split(separator: "\t") }
        return Dictionary(
            lines.compactMap { line in line.count == 2 ? Double(line[1]).map { (String(line[0]), $0) } : nil },
            uniquingKeysWith: { $1 })
    }

    private func milliseconds(_ seconds: Double) -> String { String(format: "%.1f", seconds * 1000) }
}

/// The times of the list of rooms in a browser, of an account with very many.
private enum RoomListTimes {
    private static let rooms = 10_000
    private static let page = 500

    static func report() async throws {
        let sample = try SampleArchive()
        try await sample.fill(to: rooms * 20, at: SampleArchive.time(of:)) { number, session in
            let name = "#room\(number * 7919 % rooms)"
            return [
                .message(
                    IncomingMessage(
                        session: session, room: RoomReference(key: name, name: name, kind: .channel), kind: .message,
                        sender: UserReference(key: "user\(number % 50)", name: "user\(number % 50)"),
                        body: SampleArchive.text(number), remoteID: "\(number)",
                        receivedAt: SampleArchive.time(of: number)))
            ]
        }
        let reading = sample.archive.reading()
        var (list, whole) = (Sample(), Sample())
        for _ in 0..<11 {
            let shown = try list.measure {
                let rooms = try reading.roomOutlines(isSorted: false)
                return try reading.listed(Array(rooms.suffix(page)))
            }
            guard shown.count == page else { throw BenchmarkError("\(shown.count) rooms are listed") }
            _ = try whole.measure { try reading.roomList() }
        }
        Table.title("The list of \(rooms) rooms, in ms")
        Table.row("a page of \(page) rooms", hundredths(list.median * 1000))
        Table.row("all of them", hundredths(whole.median * 1000))
    }
}
