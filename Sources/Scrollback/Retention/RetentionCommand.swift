import Archive
import ChatModel
import FoundationEssentials
import Operations
import Options
import Reading
import Rendering
import Settings

struct RetentionCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "retention",
        abstract: "Remove messages by age, forget people, and hold what must stay.",
        discussion: """
            EXAMPLE: scrollback retention plan

            The rules are in [retention], [[retention.rule]] and [[account.retention]] of the configuration. A running \
            listener applies them to its accounts, too.
            """,
        subcommands: [
            PlanCommand.self, RetentionApplyCommand.self, RetentionForgetCommand.self, LogCommand.self,
            HoldCommand.self,
            HoldsCommand.self,
            ReleaseCommand.self,
        ])

    struct PlanCommand: Command {
        static let configuration = CommandConfiguration(
            commandName: "plan",
            abstract: "List what the rules would remove now, and by which rule; remove nothing.",
            discussion: "EXAMPLE: scrollback retention plan -a libera")

        @OptionGroup var accounts: AccountsOption
        @OptionGroup var reader: ReaderOptions

        func run() throws {
            let reading = try reader.archive(readsCopies: true).reading()
            let rules = try AccountRules(reader.folder)
            var purges: [Purge] = []
            var notes = ""
            for account in try rules.accounts(accounts.account, in: reading) {
                let plan = try reading.retention.plan(of: account.name, rules.of(account), at: .now())
                purges += plan.purges
                for rule in plan.waiting { notes += "\(RetentionApplyCommand.waiting(rule, of: account.name))\n" }
            }
            if purges.isEmpty { notes += "nothing is too old\n" }
            if accounts.account.isEmpty { notes = rules.unmatched(in: try reader.folder.resolve()) + notes }
            try reader.write(
                purges, as: Purge.listing(time: LocalTime(zone: reader.zone), isPlan: true), leftOut: reading.skipped,
                notes: notes)
        }
    }

    struct LogCommand: Command {
        static let configuration = CommandConfiguration(
            commandName: "log",
            abstract: "List what the rules have removed, the latest first: when, where, how much, and by which rule.",
            discussion: "EXAMPLE: scrollback retention log -a libera")

        @OptionGroup var accounts: AccountsOption
        @OptionGroup var reader: ReaderOptions

        func run() throws {
            let reading = try reader.archive().reading()
            let known = try reading.selected(accounts.account)
            let purges = try reading.retention.log(accounts: known.map(\.name))
            try reader.write(
                purges, as: Purge.listing(time: LocalTime(zone: reader.zone), isPlan: false), leftOut: reading.skipped,
                notes: !purges.isEmpty
                    ? ""
                    : reading.skipped.isEmpty
                        ? "no rule has removed anything\n"
                        : "no rule has removed anything from the accounts that were read\n")
        }
    }

    struct HoldCommand: Command {
        static let configuration = CommandConfiguration(
            commandName: "hold",
            abstract: "Hold messages, so that no rule removes them.",
            discussion: """
                EXAMPLE: scrollback retention hold case-17 libera/#example --after 2026-01-01 --reason "audit"

                Without a room, all rooms of the accounts are held; without -a, of all accounts. A hold of the same name is replaced.
                """)

        @Argument("name", help: "Your name for the hold.")
        var name: String

        @Argument(.room)
        var room: String?

        @OptionGroup var accounts: AccountsOption
        @OptionGroup var times: TimeOptions

        @Option("reason", help: "The reason, for people.")
        var reason: String?

        @Flag("utc", help: "Read times in UTC (default: the local zone, TZ).")
        var utc = false

        @OptionGroup var options: ResultOptions

        func validate() throws {
            guard !name.isEmpty else { throw ValidationError("a hold needs a name") }
            try asUsage { try accounts.selection(room: room).validate() }
            _ = try times.bounds(zone: utc ? .gmt : .local)
        }

        func run() async throws {
            let run = AccountRun(verb: "holding", format: options.format)
            let archive = Archive(folder: try options.folder.resolve())
            let reading = archive.reading()
            guard let selected = try accounts.selection(room: room).resolve(in: reading) else {
                StandardStream.note(EmptyResult.noAccounts(folder: archive.folder))
                return try run.finish(skipped: [])
            }
            let key = selected.scope.onlyRoom
            if room != nil, key == nil {
                throw ValidationError("a hold takes one room, and \"\(Sanitizer.line(room ?? ""))\" means several")
            }
            let (after, before) = try times.bounds(zone: utc ? .gmt : .local)
            // The bounds are exclusive.
            let hold = Hold(
                name: name, room: key?.id, start: after?.time.advanced(byMicroseconds: 1), end: before?.time,
                reason: reason, setAt: .now())
            let names = key.map { [$0.account] } ?? selected.scope.accounts
            let known = try reading.accounts().filter { names.contains($0.name) }
            for account in known {
                try await run.perform(account.name) { _ in
                    let counts = try reading.retention.counts(of: hold, in: account.name)
                    let writing = StoreWriting(archive: archive, account: account)
                    try await writing.perform(.hold(account: account.name, hold))
                    try await writing.close()
                    return AccountResult(account.name, "held", counts)
                }
            }
            try run.finish(skipped: [])
        }
    }

    struct HoldsCommand: Command {
        static let configuration = CommandConfiguration(
            commandName: "holds", abstract: "List the holds.", discussion: "EXAMPLE: scrollback retention holds")

        @OptionGroup var accounts: AccountsOption
        @OptionGroup var reader: ReaderOptions

        func run() throws {
            let reading = try reader.archive().reading()
            let known = try reading.selected(accounts.account)
            let holds = try reading.retention.holds(accounts: known.map(\.name))
            try reader.write(
                holds, as: AccountHold.listing(time: LocalTime(zone: reader.zone)), leftOut: reading.skipped,
                notes: holds.isEmpty ? "no holds\n" : "")
        }
    }

    struct ReleaseCommand: Command {
        static let configuration = CommandConfiguration(
            commandName: "release",
            abstract: "Remove a hold; the rules then apply to what it held.",
            discussion: "EXAMPLE: scrollback retention release case-17")

        @Argument("name", help: "The name of the hold.")
        var name: String

        @OptionGroup var accounts: AccountsOption
        @OptionGroup var options: ResultOptions

        func run() async throws {
            let run = AccountRun(verb: "releasing", format: options.format)
            let archive = Archive(folder: try options.folder.resolve())
            let reading = archive.reading()
            let known = try reading.selected(accounts.account)
            let holds = try reading.retention.holds(accounts: known.map(\.name))
            let named = Dictionary(
                holds.filter { $0.hold.name == name }.map { ($0.account, $0.hold) },
                uniquingKeysWith: { first, _ in first })
            guard !named.isEmpty else {
                let nearest = NearNames.question(for: name, among: holds.map(\.hold.name)).map { "; \($0)" } ?? ""
                throw ValidationError("no hold \"\(Sanitizer.line(name))\"\(nearest)")
            }
            for account in known {
                guard let hold = named[account.name] else { continue }
                try await run.perform(account.name) { _ in
                    let counts = try reading.retention.counts(of: hold, in: account.name)
                    let writing = StoreWriting(archive: archive, account: account)
                    try await writing.perform(.release(account: account.name, hold: name))
                    try await writing.close()
                    return AccountResult(account.name, "released", counts)
                }
            }
            try run.finish(skipped: [])
        }
    }
}

extension AccountResult {
    /// Creates the result of setting or removing a hold, with the number of messages and events that it keeps.
    fileprivate init(_ account: String, _ verb: String, _ counts: (messages: Int64, events: Int64)) {
        self.init(account, .done, detail: "")
        (figures.messages, figures.events) = counts
        detail = "\(verb) \(figures.counted)"
    }
}

extension ArchiveReading {
    /// Returns the named accounts, or all.
    ///
    /// - Throws: ``OperationError`` for a name that no account has.
    func selected(_ names: [String]) throws -> [AccountIdentity] {
        let known = try accounts()
        try RoomSelection.requireKnown(names, among: known.map(\.name), folder: folder)
        return known.filter { names.isEmpty || names.contains($0.name) }
    }

    /// Returns the account with a name.
    ///
    /// - Throws: ``OperationError`` if no account has it.
    func account(named name: String) throws -> AccountIdentity {
        let known = try accounts()
        guard let found = known.first(where: { $0.name == name }) else {
            throw RoomSelection.unknown(account: name, known: known.map(\.name), folder: folder)
        }
        return found
    }
}
