import Archive
import ChatModel
import Files
import Moves
import Options
import Reading
import Rendering
import Settings

struct CompressCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "compress",
        abstract: "Compress accounts that are seldom used; nothing is lost.",
        discussion: """
            EXAMPLE: scrollback archive compress old

            Naming the account in a command expands it again, and so does "scrollback archive restore". An account that a listener or \
            another command uses is skipped. With --recipient (default: cold_recipients of the configuration), the account is \
            encrypted, too: it stays so until a command writes it, and takes the secret key (--identity) to read.
            """)

    @Argument("account", help: "The accounts.", completion: .accounts)
    var accounts: [String] = []

    @Flag("all", help: "Compress all accounts.")
    var all = false

    @Flag(
        "over",
        help:
            "Compress the least used accounts until the others are within hot_accounts and hot_bytes of the configuration, or their defaults."
    )
    var over = false

    @Option(
        Parameter(
            "level", .number(Archive.coldLevels),
            "The compression level of zstd, 1 to 19 (default: cold_level of the configuration, else 3)."))
    var level: Int?

    @OptionGroup(title: "Encryption") var encryption: RecipientOptions

    @OptionGroup var options: ResultOptions

    func validate() throws {
        if all, over { throw ValidationError("--all and --over can't be combined") }
        guard (all || over) != accounts.isEmpty else { return }
        throw ValidationError(
            over
                ? "--over chooses the accounts itself: name none"
                : all ? "--all means every account: name none" : "name an account, or give --all or --over")
    }

    func run() async throws {
        let archive = Archive(folder: try options.folder.resolve())
        var limits = try options.folder.configuration()?.hot ?? HotLimits()
        if let level { limits.level = level }
        if let recipients = try encryption.recipients() { limits.recipients = recipients }
        try limits.recipients?.check()
        let run = AccountRun(verb: "compressing", format: options.format)
        if over {
            try evictOver(limits, archive, run)
        } else {
            let known = all ? try archive.reading().accountSummaries() : []
            for account in all ? known.filter({ $0.coldBytes == nil }).map(\.account) : accounts {
                try await run.perform(account) { [limits] progress in
                    let summary = try archive.evict(
                        account: account, level: limits.level, recipients: limits.recipients
                    ) {
                        progress.show(account, $0)
                    }
                    return Self.result(summary)
                }
            }
        }
        try run.finish(skipped: archive.skipped)
    }

    private static func result(_ summary: AccountSummary) -> AccountResult {
        let (before, after) = (ByteCount(summary.bytes), ByteCount(summary.coldBytes ?? summary.bytes))
        let how = summary.state == .encrypted ? "compressed and encrypted" : "compressed"
        return AccountResult(summary, .done, detail: "\(how) \(before) to \(after)")
    }

    private func evictOver(_ limits: HotLimits, _ archive: Archive, _ run: AccountRun) throws {
        let report = try archive.evictOver(
            limits, progress: { [progress = run.progress] in progress.show($0, $1) })
        for summary in report.evicted { run.add(Self.result(summary)) }
        for skipped in report.failed {
            StandardStream.note("not compressed: \(Sanitizer.line(skipped.detail)) [\(skipped.reason)]\n")
        }
        let accounts = report.accounts == 1 ? "1 account" : "\(report.accounts) accounts"
        let state = "\(accounts) with \(ByteCount(report.bytes)) uncompressed"
        StandardStream.note(report.isOver ? "\(state): still over the limits\n" : "\(state)\n")
        if report.isOver { run.fail() }
    }
}

struct RestoreCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Decompress the files of compressed accounts; decrypts encrypted ones.",
        discussion: "EXAMPLE: scrollback archive restore old")

    @Argument("account", help: "The accounts.", completion: .accounts)
    var accounts: [String] = []

    @Flag("all", help: "Restore all compressed accounts.")
    var all = false

    @OptionGroup(title: "Encryption") var identity: IdentityOption

    @OptionGroup var options: ResultOptions

    func validate() throws {
        guard all != accounts.isEmpty else { return }
        throw ValidationError(all ? "--all means every account: name none" : "name an account, or give --all")
    }

    func run() async throws {
        let archive = Archive(folder: try options.folder.resolve(), identities: identity.identities)
        let run = AccountRun(verb: "restoring", format: options.format)
        let known = all ? try archive.reading().accountSummaries() : []
        for account in all ? known.filter({ $0.coldBytes != nil }).map(\.account) : accounts {
            try await run.perform(account) { progress in
                let summary = try archive.restore(account: account) { progress.show(account, $0) }
                return AccountResult(summary, .done, detail: "\(ByteCount(summary.bytes))")
            }
        }
        try run.finish(skipped: archive.skipped)
    }
}
