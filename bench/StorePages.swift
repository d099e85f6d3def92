import Archive
import ChatModel
import Foundation
import Reading

/// Measures pages of 50 messages at random places: against the same statements run bare, against the size of the
/// archive, and with joins hidden.
func runStorePages() async throws {
    Table.title("A page of 50 at a random place of a busy room")
    let (few, many) = (50_000, Scale.choose("messages", 1_000_000, long: 5_000_000))
    let sample = try SampleArchive()
    func time(_ count: Int) async throws -> PageTimes {
        try await sample.fill(to: count)
        let times = try await PageTimes.measure(sample, pages: 2000)
        Table.row("\(count) messages: the store", times.store.microseconds)
        Table.row("\(count) messages: its statements, bare", times.bare.microseconds)
        Table.ratio("the store over bare", times.store.median, times.bare.median, bound: "at most 1.50")
        return times
    }
    let (small, large) = (try await time(few), try await time(many))
    Table.ratio("\(many) over \(few)", large.store.median, small.store.median, bound: "at most 2.00")

    let noisy = try SampleArchive()
    Table.title("The same with joins hidden, 99 of 100 rows being joins")
    try await noisy.fill(
        to: Scale.choose("rows", 200_000, long: 500_000),
        events: { [SampleArchive.event($0, $1, isNoise: $0 % 100 != 0)] })
    let plain = try await PageTimes.measure(noisy, pages: 2000)
    let hidden = try await PageTimes.measure(noisy, pages: 2000, hidesNoise: true)
    Table.row("all rows", plain.store.microseconds)
    Table.row("joins hidden", hidden.store.microseconds)
    Table.ratio("hidden over all", hidden.store.median, plain.store.median, bound: "at most 2.00")
}

/// The times of pages at random places, by the store and by its statements alone.
struct PageTimes {
    private(set) var store = Sample()
    private(set) var bare = Sample()

    /// The processor time of the store for one second of the bare statements'.
    var cost: Double { store.processor / bare.processor }

    private static let scope = MessageQuery.Scope.room(account: SampleArchive.account.name, id: 1)
    /// The number of messages of a page.
    private static let limit = 50
    /// The number of pages that are read in advance, so that the data is in memory.
    private static let warming = 200

    /// Reads each page first in one way and then in the other, so that other load on the machine affects both.
    static func measure(_ sample: SampleArchive, pages: Int, hidesNoise: Bool = false) async throws -> PageTimes {
        // Every place has a full page before it, even if few rows are shown.
        let queries = try (0..<warming + pages).map { _ in
            let place = SampleArchive.time(of: Int.random(in: sample.count / 10..<sample.count))
            return try MessageQuery(
                scope: scope, anchor: .before(MessageID(place)), limit: limit, hidden: hidesNoise ? [.joins] : [])
        }
        let bare = try BarePages(file: try sample.file, try await trace(queries, in: sample.folder))
        let reading = try sample.archive.reading(scope)
        var times = PageTimes()
        for (number, query) in queries.enumerated() {
            if number == warming { times = PageTimes() }
            let page = try times.store.measure { try reading.page(query) }
            let rows = try times.bare.measure { try bare.run(number) }
            // The store reads one more row, which shows that the page continues.
            guard page.messages.count == limit, rows == limit + 1 else {
                throw BenchmarkError("a page of \(page.messages.count), bare of \(rows)")
            }
        }
        return times
    }

    /// Returns the statements that the store runs for each query.
    private static func trace(_ queries: [MessageQuery], in folder: String) async throws -> [[TracedStatement]] {
        StatementTrace.install()
        let reading = try Archive(folder: folder, logger: RoomLoadRun.silent).reading(scope)
        StatementTrace.uninstall()
        // Reads the first page in advance, because some statements run only once.
        if let first = queries.first { _ = try reading.page(first) }
        var traced: [[TracedStatement]] = []
        for query in queries {
            traced.append(try await StatementTrace.statements { _ = try reading.page(query) })
        }
        return traced
    }
}
