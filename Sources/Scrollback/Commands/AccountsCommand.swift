import Archive
import ArgumentParser
import ChatModel

struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List the accounts in the archive: what each holds, where, and who writes it.",
        discussion: """
            EXAMPLE: scrollback accounts --format jsonl

            An account is one folder. While no process writes it, a copy of the folder is a backup.
            """)

    @OptionGroup var reader: ReaderOptions

    func run() async throws {
        let archive = try reader.archive()
        let accounts = try await archive.accountSummaries()
        let listing = Listing<AccountSummary>.accounts(time: LocalTime(zone: reader.zone))
        try reader.write(accounts, as: listing)
        if accounts.isEmpty {
            StandardStream.note(EmptyResult.noAccounts(folder: archive.folder))
        }
    }
}
