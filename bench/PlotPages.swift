import Archive
import CSQLite
import ChatModel
import Foundation
import Reading

/// Measures the plot of pages: a page at several depths, by the store and by OFFSET.
func runPlotPages() async throws {
    Table.title("Plot of pages: a page of 50, in ms")
    let (count, countText) = Scale.isLong ? (10_000_000, "10 million") : (300_000, "300,000")
    let sample = try SampleArchive()
    try await sample.fill(to: count)
    let depths = try DepthTimes(sample)
    var part = PlotFigures.Part(notes: [
        "Medians of \(DepthTimes.pages) pages (OFFSET: \(DepthTimes.offsetPages)) of a room with \(countText) messages. "
            + "The file is open and in memory.",
        PlotMachine.note(),
    ])
    // From the newest page to 90 % of the room.
    for depth in [50, 500, 5000, 50_000, 500_000, 1_000_000, 5_000_000, 9_000_000] where depth <= count / 10 * 9 {
        let times = try depths.measure(depth)
        part.add("scrollback", x: "\(depth)", times.store.median * 1000, "ms")
        part.add("LIMIT 50 OFFSET n", x: "\(depth)", times.offset.median * 1000, "ms")
    }
    try PlotFigures.keep(.pages, part)
}

/// The times of pages at one depth of a room.
struct DepthTimes {
    static let pages = 200
    static let offsetPages = 5

    private static let scope = MessageQuery.Scope.room(account: SampleArchive.account.name, id: 1)
    private static let limit = 50

    private let sample: SampleArchive
    private let connection: BareConnection
    private let statement: OpaquePointer

    init(_ sample: SampleArchive) throws {
        self.sample = sample
        connection = try BareConnection(path: try sample.file, readOnly: true)
        // The index has these rows in this order, so the rows before the page cost one step of the index each.
        statement = try connection.prepare(
            """
            SELECT id, kind, sender_id, source_time_us, flags, body FROM message INDEXED BY message_room
            WHERE room_id = 1 AND noise = 0 ORDER BY id DESC LIMIT \(Self.limit) OFFSET ?
            """)
    }

    /// Reads the page that ends `depth` messages from the newest, and its neighbours.
    func measure(_ depth: Int) throws -> (store: Sample, offset: Sample) {
        let reading = try sample.archive.reading(Self.scope)
        var (store, offset) = (Sample(), Sample())
        for number in -1..<Self.pages {
            // Neighbours overlap by half; beyond the newest page there is none.
            let newer = max(0, depth - Self.limit - (depth > Self.limit * 2 ? number % 20 * Self.limit / 2 : 0))
            let anchor = SampleArchive.time(of: sample.count - newer)
            let query = try MessageQuery(
                scope: Self.scope, anchor: .before(MessageID(anchor)), limit: Self.limit, hidden: [.joins])
            if number < 0 {
                _ = try reading.page(query)
                _ = try page(newer)
                continue
            }
            let page = try store.measure { try reading.page(query) }
            guard number < Self.offsetPages else { continue }
            let ids = try offset.measure { try self.page(newer) }
            guard ids == page.messages.map(\.id.microseconds).reversed() else {
                throw BenchmarkError("the pages of the store and of OFFSET differ at \(depth)")
            }
        }
        return (store, offset)
    }

    /// Reads a page by OFFSET, and looks at every value. Returns the ids, the newest first.
    private func page(_ offset: Int) throws -> [Int64] {
        sqlite3_bind_int64(statement, 1, Int64(offset))
        defer { sqlite3_reset(statement) }
        var ids: [Int64] = []
        var status = sqlite3_step(statement)
        while status == SQLITE_ROW {
            ids.append(sqlite3_column_int64(statement, 0))
            for column in 1..<sqlite3_column_count(statement) {
                _ = sqlite3_column_int64(statement, column)
                _ = sqlite3_column_bytes(statement, column)
            }
            status = sqlite3_step(statement)
        }
        guard status == SQLITE_DONE else { throw BenchmarkError("a page by OFFSET ended with \(status)") }
        return ids
    }
}
