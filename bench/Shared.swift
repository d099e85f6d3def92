import Accounts
import Archive
import ChatModel
import Foundation
import PostgreSQL
import Reading
import Replication
import SearchText
import TestSupport
import Writing

/// Measures a shared archive on a PostgreSQL server of this machine: copying an account, its size, pages, searches, and
/// the time from a stored message to its copy.
///
/// - Throws: ``BenchmarkError`` when a figure is not met.
func runShared() async throws {
    Table.title("A shared archive, on a PostgreSQL server of this machine")
    guard PostgreSQLServer.isAvailable else { return Table.row("not measured", "there is no PostgreSQL") }
    let chat = try SampleChat()
    let load = try SearchLoad(SearchMessages(chat: chat))
    let sizes = (first: Scale.choose("messages", 300_000, long: 2_000_000), all: Scale.isLong ? 5_000_000 : 300_000)
    let server = try await SharedBench()
    try await load.fill(to: sizes.first)
    var failures = try server.copy(load.sample, isFirst: true)
    if sizes.all > sizes.first {
        try await load.fill(to: sizes.all)
        failures += try server.copy(load.sample, isFirst: false)
    }
    try server.reportSize(of: load.sample)
    failures += try server.measurePages(of: load.sample)
    try server.addAccounts()
    failures += try server.measureSearches(SearchWords(chat))
    failures += try await server.measureLag(of: load.sample)
    guard failures.isEmpty else { throw BenchmarkError(failures.joined(separator: "\n")) }
}

/// A PostgreSQL server with a shared archive, with the settings of a small real one.
final class SharedBench {
    let server: PostgreSQLServer
    let address: String
    let connection: PostgreSQLConnection

    init() async throws {
        server = try await PostgreSQLServer(
            settings: ["fsync=on", "shared_buffers=2GB", "max_wal_size=2GB", "maintenance_work_mem=256MB"])
        address = try await server.newDatabase("chat")
        connection = try PostgreSQLConnection(address)
        _ = try SharedSchema.prepare(connection, withRoles: true)
        try connection.execute("CREATE ROLE reader LOGIN")
        try SharedRoles.permit("reader", accounts: [], connection)
    }

    /// Reads as a person with permission for every account, which takes longer than reading as the owner.
    var reading: ArchiveReading {
        get throws {
            SharedArchive(try SharedAddress(server.address(database: "chat", user: "reader"))).reading()
        }
    }

    /// Messages a second, and MiB.
    private static let copyLimits = (rate: 15_000, memory: 64)

    /// Copies what is missing, as `scrollback replicate --once`.
    func copy(_ sample: SampleArchive, isFirst: Bool) throws -> [String] {
        let before = try connection.execute("SELECT count(*) FROM scrollback.message").integer(0, 0) ?? 0
        Progress.say("copying \(sample.count - Int(before)) messages")
        let run = try Program().watch(["replicate", "--once", address, "--data", sample.folder])
        let rate = Int(Double(sample.count - Int(before)) / run.seconds)
        let processor = run.run.processor / .seconds(1) / Double(sample.count - Int(before)) * 1e6
        Table.row(
            "\(isFirst ? "the first" : "further") \(sample.count - Int(before)) messages copied, a second", "\(rate)",
            "(at least \(Self.copyLimits.rate)); \(Int(processor)) µs of the copier's processor time each")
        Table.row("its memory, resident at most, in MiB", "\(run.memory / 1024)", "(at most \(Self.copyLimits.memory))")
        // As the server does by itself a minute later.
        try connection.execute("VACUUM ANALYZE")
        return (rate >= Self.copyLimits.rate ? [] : ["\(rate) messages a second are copied"])
            + (run.memory <= Self.copyLimits.memory * 1024 ? [] : ["the copier takes \(run.memory) KiB"])
    }

    func reportSize(of sample: SampleArchive) throws {
        let rows = try connection.execute(
            """
            SELECT CASE WHEN relispartition THEN 'message' ELSE relname::text END, sum(pg_total_relation_size(oid))::bigint,
              sum(pg_relation_size(oid))::bigint
            FROM pg_class WHERE relnamespace = 'scrollback'::regnamespace AND relkind = 'r' GROUP BY 1 ORDER BY 2 DESC
            """)
        let count = Double(sample.count)
        var total: Int64 = 0
        var cells: [(name: String, cells: [String])] = []
        for row in 0..<rows.count {
            let (all, table) = (try rows.integer(row, 1) ?? 0, try rows.integer(row, 2) ?? 0)
            total += all
            guard cells.count < 4 else { continue }
            cells.append(
                (
                    "  \(try rows.text(row, 0) ?? "")",
                    [Double(all) / count, Double(table) / count].map { String(format: "%.1f", $0) }
                ))
        }
        let file = Double(try FileSize(path: try sample.file).bytes) / count
        let all = ("PostgreSQL, all tables", [String(format: "%.1f", Double(total) / count), ""])
        Table.title("Bytes a message, of \(sample.count)")
        Table.columns(
            ["bytes", "without indices"], [("the account's file", [String(format: "%.1f", file), ""]), all] + cells)
    }

    // MARK: Pages

    private static let pageLimit = 2.0
    private static let page = 50

    /// The statement that a page is read with, with the names that people had then.
    private static let pageStatement = """
        SELECT m.id, m.room_id, m.kind, m.sender_id, m.received_at_us, m.source_time_us, m.flags, m.remote_id, m.body,
          (SELECT is_self FROM scrollback.person WHERE account_id = $1 AND id = m.sender_id),
          coalesce((SELECT name FROM scrollback.person_name WHERE account_id = $1 AND user_id = m.sender_id
              AND first_seen_us <= m.id ORDER BY first_seen_us DESC LIMIT 1),
            (SELECT name FROM scrollback.person_name WHERE account_id = $1 AND user_id = m.sender_id
              ORDER BY first_seen_us LIMIT 1)),
          coalesce((SELECT name FROM scrollback.room_name WHERE account_id = $1 AND room_id = m.room_id
              AND first_seen_us <= m.id ORDER BY first_seen_us DESC LIMIT 1),
            (SELECT name FROM scrollback.room_name WHERE account_id = $1 AND room_id = m.room_id
              ORDER BY first_seen_us LIMIT 1)),
          m.edited_at_us, m.deleted_at_us, m.reply_to
        FROM (SELECT id FROM scrollback.message WHERE account_id = $1 AND room_id = $2 AND noise = 0 AND id < $3
            ORDER BY id DESC LIMIT \(page + 1)) AS page
          JOIN scrollback.message AS m ON m.account_id = $1 AND m.id = page.id
        """
    private static let rowsStatement = """
        SELECT id, room_id, kind, sender_id, received_at_us, source_time_us, flags, remote_id, body, edited_at_us,
          deleted_at_us, reply_to
        FROM scrollback.message WHERE account_id = $1 AND room_id = $2 AND noise = 0 AND id < $3
        ORDER BY id DESC LIMIT \(page + 1)
        """

    /// Reads pages of a busy room at random places, each as a reader does, and then by bare statements of the same
    /// role, whose plans the server keeps too.
    func measurePages(of sample: SampleArchive) throws -> [String] {
        let reading = try reading
        let reader = try PostgreSQLConnection(server.address(database: "chat", user: "reader"))
        guard let room = try reading.rooms().first(where: { $0.name == "#ubuntu" }) else {
            throw BenchmarkError("no room #ubuntu")
        }
        let account = try connection.execute("SELECT id FROM scrollback.account").integer(0, 0) ?? 0
        var (ours, bare, rows) = (Sample(), Sample(), Sample())
        for number in 0..<1100 {
            if number == 100 { (ours, bare, rows) = (Sample(), Sample(), Sample()) }
            let place = SearchMessages.time(of: Int.random(in: sample.count / 10..<sample.count))
            let query = try MessageQuery(
                scope: .room(account: SampleArchive.account.name, id: room.id), anchor: .before(MessageID(place)),
                limit: Self.page, hidden: [.joins])
            let page = try ours.measure { try reading.page(query) }
            let values: [SQLValue] = [.integer(account), .integer(room.id), .integer(place.microseconds)]
            let found = try bare.measure { try reader.executeKept(Self.pageStatement, values) }.count
            let alone = try rows.measure { try reader.executeKept(Self.rowsStatement, values) }.count
            guard page.messages.count == Self.page, found == Self.page + 1, alone == found else {
                throw BenchmarkError("a page of \(page.messages.count), bare of \(found) and \(alone)")
            }
        }
        Table.title("A page of \(Self.page) at a random place, of \(sample.count) messages")
        Table.row("the shared archive", ours.microseconds)
        Table.row("its statement for the messages, bare", bare.microseconds)
        Table.row("the messages without names, bare", rows.microseconds)
        Table.ratio(
            "the shared archive over its statement", ours.median, bare.median, bound: "at most \(Self.pageLimit)")
        return ours.median <= bare.median * Self.pageLimit
            ? [] : ["a page takes \(ours.median / bare.median) times its statement"]
    }

    // MARK: Searches

    private static let searchLimit = 20.0

    /// Adds four accounts with a tenth of the messages each, by the server alone.
    func addAccounts() throws {
        Progress.say("adding four accounts")
        let columns = """
            room_id, kind, sender_id, session_id, received_at_us, source_time_us, flags, remote_id, body, edited_at_us,
            deleted_at_us, reply_to, search
            """
        for number in 2...5 {
            try connection.run(
                script: """
                    INSERT INTO scrollback.account SELECT \(number), 'copy\(number)', 'copy\(number)', network, epoch,
                      created_at_us, 'current' FROM scrollback.account WHERE id = 1;
                    INSERT INTO scrollback.feed_position SELECT \(number), seq, end_seq, caught_up_at_us
                      FROM scrollback.feed_position WHERE account_id = 1;
                    INSERT INTO scrollback.message (account_id, id, \(columns))
                      SELECT \(number), id, \(columns)
                      FROM scrollback.message WHERE account_id = 1 AND id % 10 = \(number);
                    """)
            for table in ["room", "room_name", "person", "person_name", "session", "coverage"] {
                let rows = try connection.execute(
                    """
                    SELECT string_agg(attname, ', ') FROM pg_attribute
                    WHERE attrelid = 'scrollback.\(table)'::regclass AND attnum > 1 AND attgenerated = ''
                    """)
                let names = try rows.text(0, 0) ?? ""
                try connection.execute(
                    """
                    INSERT INTO scrollback.\(table) (account_id, \(names))
                    SELECT \(number), \(names) FROM scrollback.\(table) WHERE account_id = 1
                    """)
            }
        }
        try connection.execute("VACUUM ANALYZE")
    }

    /// Searches for the newest 20 hits in one account and in all five.
    func measureSearches(_ words: SearchWords) throws -> [String] {
        let reading = try reading
        let kinds =
            SearchQueries.all(words, smallRoom: SearchMessages.rare) + [
                SearchQueries(
                    name: "a common pair that matches nothing", queries: ["ubuntu 사랑", "linux 오늘"], isEmpty: true)
            ]
        var rows: [(name: String, cells: [String])] = []
        var failures: [String] = []
        for kind in kinds {
            var cells: [String] = []
            for accounts in [[SampleArchive.account.name], try reading.accounts().map(\.name)] {
                let query = try MessageQuery(scope: .accounts(accounts), limit: 20)
                var times: [(query: String, time: Double)] = []
                for text in kind.queries {
                    let scope = try SearchScope(text, in: reading)
                    guard try reading.page(query, matching: scope).messages.isEmpty == kind.isEmpty else {
                        throw BenchmarkError("\(text) finds something or nothing, and should not")
                    }
                    var sample = Sample()
                    for _ in 0..<5 { _ = try sample.measure { try reading.page(query, matching: scope) } }
                    times.append((text, sample.median * 1000))
                }
                times.sort { $0.time < $1.time }
                guard let last = times.last else { continue }
                cells += [times[times.count / 2].time, last.time].map { String(format: "%.1f", $0) }
                if last.time > Self.searchLimit {
                    failures.append(
                        "\(kind.name) (\(last.query), \(accounts.count) accounts) takes \(Int(last.time)) ms")
                }
            }
            rows.append((kind.name, cells))
        }
        Table.title("The newest 20 hits, in ms (at most \(Self.searchLimit)): the middle and the slowest query")
        Table.columns(["one account: middle", "slowest", "five: middle", "slowest"], rows)
        return failures
    }

    // MARK: Lag

    private static let lagLimits = (middle: 0.3, late: 1.0)

    /// Stores 1,000 messages a second while the copier runs, and returns how late they are visible.
    func measureLag(of sample: SampleArchive) async throws -> [String] {
        let seconds = Scale.isLong ? 60 : 20
        let writer = try await sample.archive.openWriter(SampleArchive.account)
        let session = try await SampleArchive.openSession(writer, at: SearchMessages.time(of: sample.count))
        let service = ReplicationService(
            archive: sample.archive, settings: ReplicationSettings(address: try SharedAddress(address)),
            logger: RoomLoadRun.silent)
        let running = Task { await service.run() }
        let watch = try CopyWatch(address)
        var stored: [CopyWatch.Mark] = []
        let start = ContinuousClock.now
        for number in stride(from: 0, to: seconds * 1000, by: 10) {
            try await Task.sleep(until: start + .milliseconds(number))
            _ = try await writer.append(
                (number..<number + 10).map { number in
                    SampleArchive.event(number, session, at: SearchMessages.time(of: sample.count + number))
                })
            let end = try sample.archive.reading().feeds.end(of: SampleArchive.account.name)
            stored.append(CopyWatch.Mark(account: 1, seq: end.seq))
        }
        let lags = try await watch.lags(of: stored)
        running.cancel()
        await running.value
        try await writer.close()
        let (middle, late) = (lags[lags.count / 2], lags[lags.count * 99 / 100])
        Table.title("From a stored message to its copy, at 1,000 messages a second for \(seconds) s, in ms")
        Table.row("the middle", String(format: "%.0f", middle * 1000), "(at most \(Int(Self.lagLimits.middle * 1000)))")
        Table.row(
            "99 of 100 within", String(format: "%.0f", late * 1000), "(at most \(Int(Self.lagLimits.late * 1000)))")
        return middle <= Self.lagLimits.middle && late <= Self.lagLimits.late
            ? [] : ["the copy is \(middle) s behind, \(late) s at the 99th of 100"]
    }
}
