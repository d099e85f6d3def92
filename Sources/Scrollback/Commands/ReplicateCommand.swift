import Accounts
import Archive
import ChatModel
import Logging
import Options
import PostgreSQL
import Reading
import Rendering
import Replication
import Settings

struct ReplicateCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "replicate",
        abstract: "Copy accounts into a shared archive on PostgreSQL, and keep the copy up to date.",
        discussion: """
            EXAMPLE: scrollback replicate --init postgres://db.example/chat

            Copies every change until Ctrl-C. A listener whose configuration has the table [shared] does the same itself. The copy \
            may be stopped and started again at any time: it continues where the shared archive is.

            --verify compares the shared archive with the files. Exit status: 0 equal, 1 it failed, 2 something differs.

            With --init --with-roles, readers see only the accounts that --grant gives to their role of the server.
            """)

    @Argument("address", help: "The PostgreSQL database (default: [shared] of the configuration).")
    var address: String?

    @Option(
        "account", short: "a", help: "Only this account; repeat it for several (default all).", valueName: "account",
        completion: .accounts)
    var account: [String] = []

    @Flag("init", help: "Create or upgrade the database's tables, and end.")
    var prepares = false

    @Flag(
        "with-roles",
        help:
            "With --init: also create the roles scrollback_reader and scrollback_writer, and limit readers to their accounts."
    )
    var withRoles = false

    @Option(
        "grant", help: "Let this role read the accounts of -a, and end (default: all accounts, also later ones).",
        valueName: "role")
    var grant: String?

    @Option(
        "revoke", help: "Take the accounts of -a from this role, and end (default: all that it was given).",
        valueName: "role")
    var revoke: String?

    @Flag("status", help: "Show how far each account is behind, and end.")
    var status = false

    @Flag("once", help: "Copy what is missing now, and end.")
    var once = false

    @Flag("verify", help: "Copy what is missing, compare everything with the files, and end.")
    var verify = false

    @Option("format", help: "The output format of --status, --once and --verify; text: lines for people.")
    var format = OutputFormat.text

    @OptionGroup(title: "Where") var folder: FolderOptions
    @OptionGroup(title: "Logging") var logging: LoggingOptions

    func validate() throws {
        guard [prepares, status, once, verify, grant != nil, revoke != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("choose one of --init, --grant, --revoke, --status, --once and --verify")
        }
        guard format == .text || status || once || verify else {
            throw ValidationError("--format \(format.rawValue) needs --status, --once or --verify")
        }
        guard prepares || !withRoles else { throw ValidationError("--with-roles needs --init") }
        if let address { _ = try SharedAddress(argument: address) }
    }

    func run() async throws {
        let settings = try settings()
        if prepares { return try prepare(settings) }
        if let grant { return try permit(grant, settings) }
        if let revoke { return try forbid(revoke, settings) }
        let archive = Archive(folder: try folder.resolve())
        if status { return try show(archive, settings) }
        if once || verify { return try await copy(archive, settings) }
        try await follow(archive, settings)
    }

    private func settings() throws -> ReplicationSettings {
        if let address { return ReplicationSettings(address: try SharedAddress(argument: address)) }
        guard let shared = try folder.configuration()?.shared else {
            throw ValidationError(
                "name the PostgreSQL database, such as postgres://db.example/chat, or write it into [shared] of the configuration"
            )
        }
        return shared
    }

    private func prepare(_ settings: ReplicationSettings) throws {
        let before = try SharedSchema.prepare(PostgreSQLConnection(settings.address.text), withRoles: withRoles)
        let now = SharedSchema.current
        StandardStream.note(
            before == now
                ? "the database has the tables of a shared archive already (schema \(now))\n"
                : before == 0
                    ? "made the tables of a shared archive (schema \(now))\n"
                    : "upgraded the tables from schema \(before) to \(now)\n")
        if withRoles { StandardStream.note("the roles scrollback_reader and scrollback_writer have their rights\n") }
    }

    private func permit(_ role: String, _ settings: ReplicationSettings) throws {
        try SharedRoles.permit(role, accounts: account, try connect(settings))
        StandardStream.note("\(Sanitizer.line(role)) may read \(accountsText)\n")
    }

    private func forbid(_ role: String, _ settings: ReplicationSettings) throws {
        let had = try SharedRoles.forbid(role, accounts: account, try connect(settings))
        let name = Sanitizer.line(role)
        StandardStream.note(
            had ? "\(name) may no longer read \(accountsText)\n" : "\(name) had no such permission\n")
    }

    private var accountsText: String {
        account.isEmpty ? "any account" : account.map(Sanitizer.line).joined(separator: ", ")
    }

    /// Connects to a server with a shared archive of this program's schema.
    private func connect(_ settings: ReplicationSettings) throws -> PostgreSQLConnection {
        let server = try PostgreSQLConnection(settings.address.text)
        try SharedSchema.require(server)
        return server
    }

    /// Opens the accounts for a copy, and names those that can't be copied because they are compressed or unreadable.
    ///
    /// - Returns: The accounts that can be copied, and false if another was skipped because it can't be read.
    private func mirrors(_ archive: Archive) throws -> ([AccountMirror], areAllReadable: Bool) {
        let reading = archive.reading()
        let mirrors = try reading.mirrors(of: account.isEmpty ? nil : account)
        for line in SkippedAccountsText.lines(reading.skipped, takesCold: false) {
            StandardStream.note("scrollback: \(line)\n")
        }
        if mirrors.isEmpty, reading.skipped.isEmpty {
            StandardStream.note(EmptyResult.noAccounts(folder: archive.folder))
        }
        return (mirrors, reading.skipped.allSatisfy(\.isResting))
    }

    /// Copies what is missing, one account after the other, and verifies the copy if asked for.
    private func copy(_ archive: Archive, _ settings: ReplicationSettings) async throws {
        let server = try connect(settings)
        let line = TerminalLine()
        let (mirrors, areAllReadable) = try mirrors(archive)
        var (isEqual, copies) = (true, [AccountReplica]())
        for mirror in mirrors {
            let name = Sanitizer.line(mirror.account.name)
            var progress = ReplicationProgress()
            let replicator = Replicator([mirror])
            while true {
                let step = try await step(of: replicator, name: name, into: server, line)
                progress.add(step)
                if step.left == 0 { break }
                line.show("\(name): \(progress.text)")
            }
            line.clear()
            var copy = AccountReplica(account: mirror.account.name, state: .upToDate, changesLeft: 0)
            copy.copied = Int64(progress.changes)
            if verify {
                let verification = try Verification.of(mirror, server)
                copy.add(verification)
                isEqual = copy.state == .equal && isEqual
                if format == .text { try report(verification, of: name) }
            } else if format == .text {
                StandardStream.note("\(name): \(progress.summary)\n")
            }
            copies.append(copy)
        }
        try write(copies, leftOut: archive.skipped)
        if !areAllReadable { throw ExitCode.failure }
        if !isEqual { throw ExitCode(2) }
    }

    /// Copies one batch. Tries for up to 10 s while another process holds the account, such as a killed one whose
    /// connection the server has not closed yet.
    private func step(
        of replicator: Replicator, name: String, into server: PostgreSQLConnection, _ line: TerminalLine
    ) async throws -> Replicator.Step {
        let end = ContinuousClock.now + .seconds(10)
        var isWaiting = false
        while true {
            do {
                return try replicator.step(into: server)
            } catch SharedArchiveError.busy where ContinuousClock.now < end {
                if !isWaiting {
                    line.clear()
                    StandardStream.note("\(name): waiting up to 10 s, because another process copies it now\n")
                }
                isWaiting = true
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    private func write(_ replicas: [AccountReplica], leftOut: [SkippedAccount]) throws {
        guard format != .text else { return }
        try StandardStream.output.write(
            AccountReplica.listing.render(replicas, leftOut: leftOut, format: format))
    }

    private func report(_ verification: Verification?, of name: String) throws {
        guard let verification else {
            return StandardStream.note("scrollback: \(name) changed meanwhile; try again\n")
        }
        guard !verification.differences.isEmpty else {
            return StandardStream.note("\(name): equal, \(verification.rows.grouped) rows compared\n")
        }
        for difference in verification.differences {
            let place = [difference.room.map { "room \($0)" }, difference.month].compactMap(\.self)
            try StandardStream.output.write(
                "\(name): \(difference.table)\(place.isEmpty ? "" : " (\(place.joined(separator: ", ")))") differs: "
                    + "\(difference.rowsOfFile.grouped) rows in the file, \(difference.rowsShared.grouped) in the shared archive\n"
            )
        }
    }

    private func show(_ archive: Archive, _ settings: ReplicationSettings) throws {
        let server = try connect(settings)
        let (mirrors, areAllReadable) = try mirrors(archive)
        var replicas: [AccountReplica] = []
        for mirror in mirrors {
            let end = try mirror.end().position
            let found = try server.execute(
                """
                SELECT seq, caught_up_at_us FROM scrollback.account JOIN scrollback.feed_position ON account_id = id
                WHERE folder = $1 AND epoch = $2
                """, [.text(mirror.folder), .text(end.epoch)])
            guard found.count > 0, let seq = try found.integer(0, 0) else {
                replicas.append(AccountReplica(account: mirror.account.name, state: .missing))
                continue
            }
            let left = max(end.seq - seq, 0)
            var replica = AccountReplica(
                account: mirror.account.name, state: left == 0 ? .upToDate : .behind, changesLeft: left)
            replica.caughtUpAt = try found.integer(0, 1).map { Timestamp(microseconds: $0) }
            replicas.append(replica)
        }
        if format == .text { try StandardStream.output.write(replicas.map { $0.text + "\n" }.joined()) }
        try write(replicas, leftOut: archive.skipped)
        if !areAllReadable { throw ExitCode.failure }
    }

    private func follow(_ archive: Archive, _ settings: ReplicationSettings) async throws {
        _ = logging.bootstrap()
        try SharedSchema.require(PostgreSQLConnection(settings.address.text))
        let service = ReplicationService(
            archive: archive, accounts: account.isEmpty ? nil : account, settings: settings,
            logger: Logger(label: "replication"))
        await service.run()
    }
}

/// The progress of one account's copy, for people.
private struct ReplicationProgress {
    private let start = ContinuousClock.now
    private(set) var changes = 0
    private var left: Int64 = 0
    private var cutWords = 0

    mutating func add(_ step: Replicator.Step) {
        changes += step.changes
        left = step.left
        cutWords += step.cutWords
    }

    private var perSecond: Double { Double(changes) / max((ContinuousClock.now - start) / .seconds(1), 0.001) }

    /// For instance `1,200,000 of 2,000,000 changes, 17,000 a second, 47 s left`.
    var text: String {
        let rate = max(perSecond, 1)
        return "\(changes.grouped) of \((Int64(changes) + left).grouped) changes, \(Int(rate).grouped) a second, "
            + "\(Int(Double(left) / rate).grouped) s left"
    }

    var summary: String {
        let words = cutWords == 0 ? "" : "; \(cutWords.grouped) words of long messages can't be searched there"
        return "up to date, \(changes.grouped) changes copied\(words)"
    }
}
