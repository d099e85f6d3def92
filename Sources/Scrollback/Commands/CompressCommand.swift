import Archive
import ArgumentParser
import ChatModel
import Rendering
import Service

struct CompressCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compress",
        abstract: "Compress accounts that are seldom used; nothing is lost.",
        discussion: """
            EXAMPLE: scrollback archive compress old

            Naming the account in a command expands it again, and so does "scrollback archive restore". An account that a listener or \
            another command uses is skipped.
            """)

    @Argument(
        help: ArgumentHelp("The accounts.", valueName: "account"), completion: ArchiveNames.accountCompletion)
    var accounts: [String] = []

    @Flag(
        help:
            "Compress the least used accounts until the others are within hot_accounts and hot_bytes of the configuration."
    )
    var over = false

    @Option(
        help: ArgumentHelp(
            "The compression level of zstd, 1 to 19 (default: cold_level of the configuration, else 3).",
            valueName: "level"))
    var level: Int?

    @OptionGroup(title: "Where") var folder: FolderOptions

    func validate() throws {
        if let level, !Archive.coldLevels.contains(level) {
            throw ValidationError("--level takes 1 to 19, not \(level)")
        }
        guard over != accounts.isEmpty else { return }
        throw ValidationError(
            over ? "--over chooses the accounts itself: name none" : "name an account, or give --over")
    }

    func run() async throws {
        let archive = Archive(folder: try folder.resolve())
        var limits = try folder.configuration()?.hot ?? HotLimits()
        if let level { limits.level = level }
        if over { return try await evictOver(limits, archive) }
        let progress = MoveProgress(verb: "compressing")
        for account in accounts {
            let summary = try await archive.evict(account: account, level: limits.level) { progress.show(account, $0) }
            progress.clear()
            let (before, after) = (ByteCount(summary.bytes), ByteCount(summary.coldBytes ?? summary.bytes))
            StandardStream.note("\(Sanitizer.line(account)): compressed \(before) to \(after)\n")
        }
    }

    private func evictOver(_ limits: HotLimits, _ archive: Archive) async throws {
        guard !limits.isUnlimited else {
            throw CommandError(
                .noLimits, "the configuration has neither hot_accounts nor hot_bytes",
                hint: "set one of them, or name accounts to compress")
        }
        let progress = MoveProgress(verb: "compressing")
        let report = try await archive.evictOver(limits, progress: { progress.show($0, $1) })
        progress.clear()
        for account in report.evicted { StandardStream.note("\(Sanitizer.line(account)): compressed\n") }
        for error in report.failed { StandardStream.note("not compressed: \(Sanitizer.line(error.detail))\n") }
        let accounts = report.accounts == 1 ? "1 account" : "\(report.accounts) accounts"
        let state = "\(accounts) with \(ByteCount(report.bytes)) uncompressed"
        StandardStream.note(report.isOver ? "\(state): still over the limits\n" : "\(state)\n")
        if report.isOver { throw ExitCode(1) }
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Expand the files of compressed accounts.",
        discussion: "EXAMPLE: scrollback archive restore old")

    @Argument(
        help: ArgumentHelp("The accounts.", valueName: "account"), completion: ArchiveNames.accountCompletion)
    var accounts: [String]

    @OptionGroup(title: "Where") var folder: FolderOptions

    func run() async throws {
        let archive = Archive(folder: try folder.resolve())
        let progress = MoveProgress(verb: "restoring")
        for account in accounts {
            let summary = try await archive.restore(account: account) { progress.show(account, $0) }
            progress.clear()
            StandardStream.note("\(Sanitizer.line(account)): \(ByteCount(summary.bytes))\n")
        }
    }
}
