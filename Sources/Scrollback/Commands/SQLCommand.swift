import Archive
import ChatModel
import Files
import Glibc
import Operations
import Options
import Reading
import Rendering
import SQLQueries
import Schema

struct SQLCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql",
        abstract: "Read the archive with an SQL statement, over one account or all.",
        discussion: """
            EXAMPLE: scrollback sql --schema

            The statement is a SELECT in SQLite's dialect over the views that --schema lists; it can't change anything. \
            "account" is a column of each view, and ids are unique in an account: join with USING (account, id).
            Times are in UTC. local(id) and local(at) are the local time, us('7d') is a time for a condition on id:

            SELECT local(id), room, sender, body FROM messages WHERE id >= us('yesterday')
            """)

    @Argument("statement", help: "The statement; without one, or with -, standard input.")
    var statement: String?

    @Flag("schema", help: "List the views with their columns and an example.")
    var schema = false

    @OptionGroup var accounts: AccountsOption

    @Option(
        "timezone", help: "The zone of local times: Europe/Berlin, -09:30 (default: the local zone, TZ).",
        valueName: "zone")
    var timezone: String?

    @Option(.timeout("Stop after this many seconds."))
    var timeout = 30

    @Option(
        "limit", short: "n", help: "The number of rows, 1 to 1000, or all (default: 1000).", valueName: "number",
        transform: MessageLimit.init(parameter:))
    var limit = MessageLimit.count(1000)

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        guard timezone == nil || !reader.utc else {
            throw ValidationError("--utc and --timezone can't be combined; give one")
        }
        guard !schema || statement == nil else {
            throw ValidationError("--schema takes no statement; remove one of them")
        }
        _ = try zone
    }

    func run() throws {
        if schema { return try showSchema() }
        let text = try SQLInput.statement(statement)
        let archive = try reader.archive(cold: cold, openConnections: Self.openConnections)
        SQLiteSettings.limitMemory()
        let reading = archive.reading()
        ProgramEnd.call { reading.writeUses() }
        let deadline = ReadLimit()
        do {
            let query = try SQLQuery(text, accounts: accounts.account, in: reading, limit: deadline, zone: zone)
            defer { query.close() }
            // Opening the accounts, which may be compressed, does not count.
            deadline.end(in: timeout)
            try show(query, reading, SQLWatchdog(seconds: timeout))
        } catch let error as SQLQueryError {
            throw SQLFailure(error, in: text).error
        } catch let error as ArchiveError where error.code == .stopped {
            throw SQLWatchdog.error(timeout)
        }
        if try reading.accounts().isEmpty {
            StandardStream.note(EmptyResult.noAccounts(folder: reading.folder))
        }
    }

    private func showSchema() throws {
        guard reader.format == .text else {
            return try reader.write(SQLSchemaText.columns, as: SQLSchemaText.listing, leftOut: [])
        }
        try reader.write(Rendered(output: SQLSchemaText.text(style: reader.style, width: reader.width)))
    }

    private var zone: Zone { get throws { try timezone.map(Zone.init(argument:)) ?? reader.zone } }

    /// The accounts that are open at once, by which `ORDER BY id LIMIT 10` reads ten rows of each: as many as half of the
    /// descriptors of a process allow, and 256 at most, for the memory of their pages.
    private static var openConnections: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return Archive.openConnections
        }
        return min(256, max(16, Int(clamping: limit.rlim_cur) / (2 * Archive.descriptorsPerFile)))
    }

    /// Shows the rows as they come. Text that is not longer than one part goes through the pager whole, so that the pager
    /// does not start before there is an answer.
    private func show(_ query: SQLQuery, _ reading: ArchiveReading, _ watchdog: SQLWatchdog) throws {
        var result = SQLResult(
            columns: query.columns, format: reader.format, style: reader.style, width: reader.width)
        var rows = SQLRows(query, limit: limit.count, watchdog: watchdog)
        let first = result.render(try rows.part())
        if rows.isAtEnd {
            let output = first + result.end(hasMore: rows.hasMore, leftOut: reading.skipped)
            return try reader.write(Rendered(output: output, notes: note(rows)))
        }
        try reader.stream { write in
            try write(Rendered(output: first))
            while !rows.isAtEnd { try write(Rendered(output: result.render(try rows.part()))) }
            let end = result.end(hasMore: rows.hasMore, leftOut: reading.skipped)
            try write(Rendered(output: end, notes: note(rows)))
        }
    }

    private func note(_ rows: SQLRows) -> String {
        if rows.hasMore { return "there are more than \(rows.count.of("row")); for all: -n all\n" }
        // A table without rows shows nothing.
        return rows.count == 0 && reader.format == .text ? "0 rows\n" : ""
    }
}

/// The rows of a statement, in parts of a bounded size.
private struct SQLRows {
    private let query: SQLQuery
    private let limit: Int?
    private let watchdog: SQLWatchdog
    private(set) var count = 0
    private(set) var isAtEnd = false
    /// True if the statement has more rows than the limit.
    private(set) var hasMore = false

    /// A part has this many rows, or fewer with so many bytes.
    private static let partRows = 1000
    private static let partBytes = 4 << 20

    /// - Parameter limit: The number of rows; nil for all.
    init(_ query: SQLQuery, limit: Int?, watchdog: SQLWatchdog) {
        (self.query, self.limit, self.watchdog) = (query, limit, watchdog)
    }

    mutating func part() throws -> [[SQLCell]] {
        var (rows, bytes): ([[SQLCell]], Int) = ([], 0)
        while rows.count < Self.partRows, bytes < Self.partBytes {
            guard let row = try watchdog.watching({ try query.next() }) else {
                isAtEnd = true
                break
            }
            if count == limit {
                (isAtEnd, hasMore) = (true, true)
                break
            }
            rows.append(row)
            count += 1
            bytes += row.reduce(0) { $0 + $1.size }
        }
        // Knows at once that nothing follows a full part.
        if count == limit, !isAtEnd {
            hasMore = try watchdog.watching({ try query.next() }) != nil
            isAtEnd = true
        }
        return rows
    }
}
