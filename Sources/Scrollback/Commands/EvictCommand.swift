import Archive
import ArgumentParser
import ChatModel

struct EvictCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evict",
        abstract: "Compress the files of accounts that are seldom used; nothing is lost.",
        discussion: """
            EXAMPLE: scrollback evict old

            A command on the account alone makes its file plain again, and so does "scrollback restore". An account that a \
            listener or another command has open stays as it is.
            """)

    @Argument(
        help: ArgumentHelp("The accounts.", valueName: "account"), completion: ArchiveNames.accountCompletion)
    var accounts: [String]

    @Option(help: ArgumentHelp("How hard to compress: 1 to 19, as zstd has it.", valueName: "level"))
    var level = Archive.coldLevel

    @OptionGroup(title: "Where") var folder: FolderOptions

    func validate() throws {
        guard Archive.coldLevels.contains(level) else {
            throw ValidationError("--level takes 1 to 19, not \(level)")
        }
    }

    func run() async throws {
        let archive = Archive(folder: try folder.resolve())
        for account in accounts {
            let progress = MoveProgress(verb: "compressing", account: account)
            let summary = try await archive.evict(account: account, level: level, progress: progress.show)
            progress.clear()
            let (before, after) = (ByteCount(summary.bytes), ByteCount(summary.coldBytes ?? summary.bytes))
            StandardStream.note("\(Sanitizer.line(account)): \(before) are \(after) now\n")
        }
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make the files of evicted accounts plain again.",
        discussion: "EXAMPLE: scrollback restore old")

    @Argument(
        help: ArgumentHelp("The accounts.", valueName: "account"), completion: ArchiveNames.accountCompletion)
    var accounts: [String]

    @OptionGroup(title: "Where") var folder: FolderOptions

    func run() async throws {
        let archive = Archive(folder: try folder.resolve())
        for account in accounts {
            let progress = MoveProgress(verb: "restoring", account: account)
            let summary = try await archive.restore(account: account, progress: progress.show)
            progress.clear()
            StandardStream.note("\(Sanitizer.line(account)): \(ByteCount(summary.bytes))\n")
        }
    }
}
