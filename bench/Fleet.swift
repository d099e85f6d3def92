import Accounts
import Archive
import ChatModel
import Foundation
import Logging
import PostgreSQL
import Replication
import TestSupport
import Writing

/// Measures 2,000 accounts in four data folders that are replicated into one PostgreSQL server of this machine, while
/// 500 messages a second are stored.
///
/// The networks are simulated: a task for each folder stores the messages as its listener would. The four folders are
/// written and replicated by this process.
///
/// - Throws: ``BenchmarkError`` when a figure is not met.
func runFleet() async throws {
    Table.title("A fleet in one shared archive")
    guard PostgreSQLServer.isAvailable else { return Table.row("not measured", "there is no PostgreSQL") }
    _ = ProcessFigures.raiseDescriptorLimit()
    let accounts = Scale.choose("accounts", 400, long: 2000)
    let seconds = Scale.choose("seconds", 20, long: 120)
    let bench = try await SharedBench()
    let folders = try await FleetFolder.make(4, accounts: accounts / 4)
    // Prints errors, because a failed account is missing in the figures.
    var logger = Logger(label: "fleet")
    logger.logLevel = .warning
    let services = try folders.map { [logger] folder in
        ReplicationService(
            archive: folder.archive, settings: ReplicationSettings(address: try SharedAddress(bench.address)),
            logger: logger)
    }
    let running = services.map { service in Task { await service.run() } }
    Progress.say("waiting until every account is there")
    let first = ContinuousClock.now
    while try bench.accounts().count < accounts { try await Task.sleep(for: .milliseconds(100)) }
    Table.row("\(accounts) new accounts are there after, in s", String(format: "%.1f", (.now - first) / .seconds(1)))

    let numbers = try bench.accounts()
    let before = (own: ProcessorTime.now, server: try bench.processor())
    let watch = try CopyWatch(bench.address, interval: 50_000)
    let start = ContinuousClock.now
    let stored = try await withThrowingTaskGroup(of: [CopyWatch.Mark].self) { group in
        for folder in folders {
            group.addTask { try await folder.store(perSecond: 500 / folders.count, seconds: seconds, numbers) }
        }
        return try await group.reduce(into: []) { $0 += $1 }
    }
    let storing = ContinuousClock.now - start
    let connections = try bench.connection.execute(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
    let marks = try await bench.changes(of: stored)
    let lags = try await watch.lags(of: marks)
    for task in running { task.cancel() }
    for task in running { await task.value }
    // Their deletion removes the files, from which the last messages were being copied.
    withExtendedLifetime(folders) {}
    let count = Double(marks.count)
    let late = lags[lags.count * 99 / 100]
    Table.row("messages stored and copied", "\(marks.count)", "(in \(Int(storing / .seconds(1))) s)")
    Table.row("from stored to copied, the middle, in ms", String(format: "%.0f", lags[lags.count / 2] * 1000))
    Table.row("99 of 100 within", String(format: "%.0f", late * 1000), "(at most 1000)")
    // Two of them are this measurement's.
    Table.row("connections of the four copiers", "\((try connections.integer(0, 0) ?? 0) - 2)")
    let own = (ProcessorTime.now - before.own) / count * 1e6
    let server = (try bench.processor() - before.server) / count * 1e6
    Table.row("processor time a message, storing and copying, in µs", String(format: "%.0f", own))
    Table.row("processor time a message, of the server, in µs", String(format: "%.0f", server))
    guard late <= 1 else { throw BenchmarkError("the copy is \(late) s behind at the 99th of 100") }
}

extension SharedBench {
    /// The accounts' numbers by their folders' names.
    func accounts() throws -> [String: Int64] {
        let rows = try connection.execute("SELECT folder, id FROM scrollback.account")
        return Dictionary(
            try (0..<rows.count).map { (try rows.text($0, 0) ?? "", try rows.integer($0, 1) ?? 0) },
            uniquingKeysWith: { $1 })
    }

    /// Waits until the messages are copied.
    ///
    /// - Parameter messages: Marks with the id of a message in place of a change.
    /// - Returns: Marks of the changes that stored them.
    func changes(of messages: [CopyWatch.Mark]) async throws -> [CopyWatch.Mark] {
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            let rows = try connection.execute(
                "SELECT account_id, subject_id, seq FROM scrollback.change WHERE what = 0")
            var found: [[Int64]: Int64] = [:]
            for row in 0..<rows.count {
                let values = try (Int32(0)...2).map { try rows.integer(row, $0) ?? 0 }
                found[Array(values.prefix(2))] = values[2]
            }
            let changes = messages.compactMap { message in
                found[[message.account, message.seq]].map { seq in
                    var mark = message
                    mark.seq = seq
                    return mark
                }
            }
            if changes.count == messages.count { return changes }
            try await Task.sleep(for: .milliseconds(200))
        }
        throw BenchmarkError("not every message is copied")
    }

    /// The processor time of the server and its sessions so far, in seconds.
    func processor() throws -> Double {
        guard let main = server.process else { return 0 }
        let tick = Double(sysconf(Int32(_SC_CLK_TCK)))
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.reduce(0) {
            sum, id in
            guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return sum }
            // After the name: state, parent … utime, stime, and those of ended children (proc(5)).
            let fields = text[text.index(after: end)...].split(separator: " ")
            guard id == main || fields[1] == "\(main)" else { return sum }
            let used = fields[11...(id == main ? 14 : 12)].compactMap { Double($0) }.reduce(0, +)
            return sum + used / tick
        }
    }
}

/// A data folder with accounts that are written.
private final class FleetFolder: Sendable {
    let archive: Archive
    private let folder: TemporaryFolder
    private let writers: [(name: String, writer: AccountWriter, session: SessionID)]

    private init(_ folder: TemporaryFolder, _ archive: Archive, _ writers: [(String, AccountWriter, SessionID)]) {
        (self.folder, self.archive, self.writers) = (folder, archive, writers.map { ($0.0, $0.1, $0.2) })
    }

    static func make(_ count: Int, accounts: Int) async throws -> [FleetFolder] {
        var folders: [FleetFolder] = []
        for number in 0..<count {
            let folder = try TemporaryFolder()
            // As `open_connections` of a listener with so many accounts: one to write and one to replicate each.
            let archive = Archive(
                folder: folder.path, logger: RoomLoadRun.silent, openConnections: 2 * accounts + 16)
            var writers: [(String, AccountWriter, SessionID)] = []
            for account in 0..<accounts {
                let identity = AccountIdentity(name: "fleet\(number)x\(account)", network: "streamchat")
                let writer = try await archive.openWriter(identity)
                writers.append((identity.name, writer, try await SampleArchive.openSession(writer, at: .now())))
            }
            folders.append(FleetFolder(folder, archive, writers))
            Progress.say("\((number + 1) * accounts) accounts made")
        }
        return folders
    }

    /// Stores messages in random accounts.
    ///
    /// - Parameter numbers: The accounts' numbers in the shared archive, by their folders' names.
    /// - Returns: Marks with the ids of the messages.
    func store(perSecond: Int, seconds: Int, _ numbers: [String: Int64]) async throws -> [CopyWatch.Mark] {
        let byName = Dictionary(numbers.map { ($0.key.dropLast(7), $0.value) }, uniquingKeysWith: { $1 })
        var marks: [CopyWatch.Mark] = []
        let start = ContinuousClock.now
        for number in 0..<perSecond * seconds {
            try await Task.sleep(until: start + .seconds(1) / perSecond * number)
            guard let (name, writer, session) = writers.randomElement() else { continue }
            let outcomes = try await writer.append([SampleArchive.event(number, session, at: .now())])
            guard let account = byName[name[...]] else { throw BenchmarkError("\(name) is not in the shared archive") }
            guard case .new(let id)? = outcomes.first else { throw BenchmarkError("a message was not stored") }
            marks.append(CopyWatch.Mark(account: account, seq: id))
        }
        return marks
    }
}
