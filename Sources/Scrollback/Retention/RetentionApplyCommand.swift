import Archive
import ChatModel
import Operations
import Options
import Reading
import Rendering
import Settings

struct RetentionApplyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Remove what is older than the rules allow.",
        discussion: """
            EXAMPLE: scrollback retention apply -a libera

            A running listener does the work between its messages. After an interruption, repeat the command: it continues. A new rule \
            that would remove more than a tenth of an account needs --yes.
            """)

    @OptionGroup var accounts: AccountsOption

    @Flag("yes", help: "Apply also new rules that remove more than a tenth of an account.")
    var yes = false

    @OptionGroup var options: ResultOptions

    func run() async throws {
        let run = AccountRun(verb: "removing", format: options.format)
        let archive = Archive(folder: try options.folder.resolve(), reportSkipped: run.reportSkipped)
        let rules = try AccountRules(options.folder)
        let reading = archive.reading()
        let ruled = try rules.accounts(accounts.account, in: reading)
        // Before anything is removed: a mistyped rule that should keep messages keeps none.
        if accounts.account.isEmpty { StandardStream.note(rules.unmatched(in: archive.folder)) }
        for account in ruled {
            try await run.perform(account.name) { _ in
                try await apply(rules.of(account), to: account, archive)
            }
        }
        try run.finish(skipped: archive.skipped)
    }

    private func apply(_ rules: RetentionRules, to account: AccountIdentity, _ archive: Archive) async throws
        -> AccountResult
    {
        let plan = try archive.reading().retention.plan(of: account.name, rules, at: .now())
        if let rule = plan.waiting.first, !yes {
            throw CommandError(
                .notConfirmed, Self.waiting(rule, of: account.name),
                hint: "see scrollback retention plan, and then add --yes")
        }
        let line = TerminalLine()
        let writing = StoreWriting(archive: archive, account: account)
        var removed: [RetentionPart: Int64] = [:]
        var place: PurgePlace?
        repeat {
            let step = try await writing.perform(.purge(account: account.name, rules, from: place)).purged
            removed.merge(step?.removed ?? [:], uniquingKeysWith: +)
            place = step?.next
            line.show("\(Sanitizer.line(account.name)): \(Self.counted(removed))")
        } while place != nil
        try await writing.close()
        line.clear()
        var result = AccountResult(
            account.name, removed.isEmpty ? .unchanged : .done,
            detail: removed.isEmpty ? "nothing is too old" : "removed \(Self.counted(removed))")
        (result.figures.messages, result.figures.events) = (removed[.messages] ?? 0, removed[.joins] ?? 0)
        (result.figures.files, result.figures.raw) = (removed[.files] ?? 0, removed[.raw] ?? 0)
        return result
    }

    /// Returns a text such as `1,204 messages, 3 files`.
    private static func counted(_ removed: [RetentionPart: Int64]) -> String {
        RetentionPart.allCases.compactMap { part in removed[part].map(part.counted) }.joined(separator: ", ")
    }

    /// Returns a sentence about a rule that waits for its owner.
    static func waiting(_ rule: String, of account: String) -> String {
        "the new rule \(Sanitizer.line(rule)) would remove more than a tenth of account \"\(Sanitizer.line(account))\""
    }
}
