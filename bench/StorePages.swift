import Archive
import ChatModel
import Foundation
import GRDBSQLite

/// Pages of 50 at random places: against the same statements bare, against the archive's size, against hidden joins.
func runStorePages() async throws {
    Table.title("A page of 50 at a random place of a busy room")
    StatementTrace.install()
    let sample = try SampleArchive()
    try await sample.fill(to: 50_000)
    let small = try await pageTime(sample, 50_000)
    Table.row("50,000 messages: the store", small.store.microseconds)
    Table.row("50,000 messages: its statements, bare", small.bare.microseconds)
    Table.ratio("the store over bare", small.store.median, small.bare.median, bound: "at most 1.50")
    try await sample.fill(to: 5_000_000)
    let large = try await pageTime(sample, 5_000_000)
    Table.row("5,000,000 messages: the store", large.store.microseconds)
    Table.row("5,000,000 messages: its statements, bare", large.bare.microseconds)
    Table.ratio("the store over bare", large.store.median, large.bare.median, bound: "at most 1.50")
    Table.ratio("5,000,000 over 50,000", large.store.median, small.store.median, bound: "at most 2.00")

    Table.title("The same with joins hidden, 99 of 100 rows being joins (500,000 rows)")
    let noisy = try SampleArchive()
    try await noisy.fill(to: 500_000, events: { [SampleArchive.event($0, $1, isNoise: $0 % 100 != 0)] })
    let plain = try await pageTime(noisy, 500_000, comparesBare: false)
    let hidden = try await pageTime(noisy, 500_000, hidesNoise: true, comparesBare: false)
    Table.row("all rows", plain.store.microseconds)
    Table.row("joins hidden", hidden.store.microseconds)
    Table.ratio("hidden over all", hidden.store.median, plain.store.median, bound: "at most 2.00")
}

private func pageTime(
    _ sample: SampleArchive, _ count: Int, hidesNoise: Bool = false, comparesBare: Bool = true
) async throws -> (store: Sample, bare: Sample) {
    let scope = MessageQuery.Scope.room(account: SampleArchive.account.name, id: 1)
    let reading = try await sample.archive.reading(scope)
    let bare = comparesBare ? try await BarePage(sample, reading, scope) : nil
    var (storeTime, bareTime) = (Sample(), Sample())
    for round in 0..<2200 {
        let place = SampleArchive.time(of: Int.random(in: count / 10..<count))
        let query = try MessageQuery(scope: scope, anchor: .before(MessageID(place)), hidesNoise: hidesNoise)
        if round < 200 {
            _ = try await reading.page(query)
            _ = try bare?.run(before: place.microseconds)
            continue
        }
        let page = try await storeTime.measure { try await reading.page(query) }
        guard page.messages.count == 50 else { throw BenchmarkError("a page of \(page.messages.count)") }
        if let bare {
            let rows = try bareTime.measure { try bare.run(before: place.microseconds) }
            guard rows == 51 else { throw BenchmarkError("\(rows) rows, bare") }
        }
    }
    return (storeTime, bareTime)
}

/// The statements that the store runs for a page before an instant, in the same order with the same values.
private final class BarePage {
    private let connection: BareConnection
    private let statements: [OpaquePointer]

    init(_ sample: SampleArchive, _ reading: ArchiveReading, _ scope: MessageQuery.Scope) async throws {
        let query = try MessageQuery(scope: scope, anchor: .before(MessageID(SampleArchive.time(of: 40_000))))
        let sql = try await StatementTrace.statements { _ = try await reading.page(query) }
        guard sql.count == 6, sql[1].contains("AS m"), sql[4].contains("coverage") else {
            throw BenchmarkError("the store's statements for a page have changed:\n\(sql.joined(separator: "\n--\n"))")
        }
        StatementTrace.uninstall()
        connection = try BareConnection(path: try sample.file, readOnly: true)
        StatementTrace.install()
        statements = try sql.map(connection.prepare)
    }

    func run(before instant: Int64) throws -> Int {
        var rows = 0
        for (index, statement) in statements.enumerated() {
            switch index {
            case 1: bind(statement, [.min, instant, 51, 1])
            case 2: bind(statement, [instant - 1, .max, 1, 1])
            case 3: bind(statement, [1])
            case 4: bind(statement, [1, .min])
            default: break
            }
            var found = 0
            while sqlite3_step(statement) == SQLITE_ROW {
                found += 1
                for column in 0..<sqlite3_column_count(statement) {
                    _ = sqlite3_column_int64(statement, column)
                    _ = sqlite3_column_bytes(statement, column)
                }
            }
            sqlite3_reset(statement)
            if index == 1 { rows = found }
        }
        return rows
    }

    private func bind(_ statement: OpaquePointer, _ values: [Int64]) {
        for (index, value) in values.enumerated() { sqlite3_bind_int64(statement, Int32(index + 1), value) }
    }
}
