import Archive
import ChatModel
import Operations
import Options
import Reading
import Rendering
import Settings

struct ReindexCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "reindex",
        abstract: "Update or rebuild the search index.",
        discussion: """
            EXAMPLE: scrollback archive reindex classroom

            A running listener updates the index itself. Searching works meanwhile. After an interruption, repeat the command: it \
            continues.
            """)

    @Argument("account", help: "The accounts (default all).", completion: .accounts)
    var accounts: [String] = []

    @Flag("rebuild", help: "Build a new index, which then replaces the present one.")
    var rebuild = false

    @OptionGroup var options: ResultOptions

    func run() async throws {
        let run = AccountRun(verb: "indexing", format: options.format)
        let archive = Archive(folder: try options.folder.resolve(), reportSkipped: run.reportSkipped)
        let known = try archive.reading().accounts()
        try RoomSelection.requireKnown(accounts, among: known.map(\.name), folder: archive.folder)
        let wanted =
            try accounts.isEmpty ? archive.hotAccounts() : known.filter { accounts.contains($0.name) }
        for account in wanted {
            try await run.perform(account.name) { _ in try await reindex(account, archive) }
        }
        try run.finish(skipped: archive.skipped)
        if known.isEmpty { StandardStream.note(EmptyResult.noAccounts(folder: archive.folder)) }
    }

    private func reindex(_ account: AccountIdentity, _ archive: Archive) async throws -> AccountResult {
        let name = Sanitizer.line(account.name)
        let line = TerminalLine()
        let writing = StoreWriting(archive: archive, account: account)
        var added = 0
        var isFirst = true
        while true {
            let step = try await writing.perform(.indexStep(account: account.name, rebuild: rebuild && isFirst)).indexed
            isFirst = false
            added += step?.added ?? 0
            guard let from = step?.from else { break }
            line.show("\(name): \(added.of(.message)), back to \(from)")
        }
        try await writing.close()
        line.clear()
        var result = AccountResult(
            account.name, added > 0 || rebuild ? .done : .unchanged,
            detail: "the index is complete, \(added.of(.message)) added")
        result.figures.added = Int64(added)
        return result
    }
}
