import Archive
import ChatModel
import Files
import Options
import Reading
import Rendering
import Settings

struct AccountsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List accounts: what each holds, its state, its folder, and the process that uses it.",
        discussion: """
            EXAMPLE: scrollback accounts --format jsonl

            An account is one folder. Copy the folder while no process writes it, or use "scrollback backup" at any time.
            """)

    @Flag("rebuild", help: "Rebuild the catalog from the accounts' folders first.")
    var rebuild = false

    @OptionGroup var reader: ReaderOptions

    func run() throws {
        if rebuild { try rebuildCatalog(try reader.archive()) }
        let reading = try reader.reading()
        let accounts = try reading.accountSummaries()
        let listing = AccountSummary.listing(time: LocalTime(zone: reader.zone))
        try reader.write(accounts, as: listing, leftOut: reading.skipped)
        if accounts.isEmpty {
            StandardStream.note(EmptyResult.noAccounts(folder: reading.folder))
        }
    }

    private func rebuildCatalog(_ archive: Archive) throws {
        // A running listener uses the existing catalog, so the folder's lock keeps it out.
        let lock = try DataFolderLock(folder: archive.folder)
        try archive.rebuildCatalog { error in
            StandardStream.note("scrollback: skipped an account: \(Sanitizer.line(error.detail))\n")
        }
        withExtendedLifetime(lock) {}
    }
}
