import Archive
import ArgumentParser
import ChatModel
import Rendering
import Service

struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List the accounts in the archive: what each holds, where, its state, and who has it open.",
        discussion: """
            EXAMPLE: scrollback accounts --format jsonl

            An account is one folder. While no process writes it, a copy of the folder is a backup; "scrollback backup" makes \
            one at any time.
            """)

    @Flag(help: "First make the catalog anew, of what is in the accounts' folders.")
    var rebuild = false

    @OptionGroup var reader: ReaderOptions

    func run() async throws {
        let archive = try reader.archive()
        if rebuild { try await rebuildCatalog(archive) }
        let accounts = try await archive.reading().accountSummaries()
        let listing = Listing<AccountSummary>.accounts(time: LocalTime(zone: reader.zone))
        try reader.write(accounts, as: listing)
        if accounts.isEmpty {
            StandardStream.note(EmptyResult.noAccounts(folder: archive.folder))
        }
    }

    private func rebuildCatalog(_ archive: Archive) async throws {
        // A running listener uses the existing catalog, so the folder's lock keeps it out.
        let lock = try DataFolderLock(folder: archive.folder)
        try await archive.rebuildCatalog { error in
            StandardStream.note("scrollback: skipped an account: \(Sanitizer.line(error.detail))\n")
        }
        withExtendedLifetime(lock) {}
    }
}
