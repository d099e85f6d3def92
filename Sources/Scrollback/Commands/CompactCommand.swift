import Archive
import ChatModel
import Moves
import Operations
import Options
import Reading
import Rendering

struct CompactCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Give unused space of accounts' files back to the disk; without --execute, only list it.",
        discussion: """
            EXAMPLE: scrollback archive compact classroom --execute

            Messages that rules have removed leave unused space. New files give it back in steps; this command also does it for files of \
            earlier versions. It needs as much free space as the file has, and an account that no listener uses.
            """)

    @Argument("account", help: "The accounts (default all).", completion: .accounts)
    var accounts: [String] = []

    @Flag("execute", help: "Write the files again.")
    var execute = false

    @OptionGroup var options: ResultOptions

    func run() async throws {
        let run = AccountRun(verb: "compacting", format: options.format)
        let archive = Archive(folder: try options.folder.resolve(), reportSkipped: run.reportSkipped)
        let known = try archive.reading().accountSummaries()
        try RoomSelection.requireKnown(accounts, among: known.map(\.account), folder: archive.folder)
        let wanted = known.filter { accounts.isEmpty ? $0.coldBytes == nil : accounts.contains($0.account) }
        for summary in wanted {
            try await run.perform(summary.account) { _ in
                execute ? try compact(summary, archive) : try estimate(summary, archive)
            }
        }
        try run.finish(skipped: archive.skipped)
        if !execute, !wanted.isEmpty {
            StandardStream.note("nothing was changed; to write the files again, add --execute\n")
        }
    }

    private func estimate(_ summary: AccountSummary, _ archive: Archive) throws -> AccountResult {
        let unused = try archive.unusedBytes(of: summary.account)
        return AccountResult(
            summary, .planned,
            detail: "at least \(ByteCount(unused)) of \(ByteCount(summary.bytes)) are unused; "
                + "needs \(ByteCount(summary.bytes)) of free space")
    }

    private func compact(_ summary: AccountSummary, _ archive: Archive) throws -> AccountResult {
        let after = try archive.compact(account: summary.account)
        return AccountResult(after, .done, detail: "\(ByteCount(summary.bytes)) became \(ByteCount(after.bytes))")
    }
}
