import Archive
import ChatModel
import Checks
import Options
import Rendering

struct CheckCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check accounts' files for damage, and their search index and counts for errors.",
        discussion: """
            EXAMPLE: scrollback archive check classroom

            Reads each file in full; a listener may write meanwhile. Changes nothing without --fix.
            Exit status: 0 fine, 1 an account could not be checked, 2 something is wrong.
            """)

    @Argument("account", help: "The accounts to check (default all).", completion: .accounts)
    var accounts: [String] = []

    @Flag("fix", help: "Remove files that no message has, from accounts in which nothing else is wrong.")
    var fix = false

    @OptionGroup var reader: ReaderOptions

    func run() throws {
        try Self.check(accounts, reader, fixes: fix)
    }

    /// Checks the accounts, all if none is named, and shows the result.
    ///
    /// - Parameter fixes: Removes the files that no message has.
    static func check(_ accounts: [String], _ reader: ReaderOptions, fixes: Bool = false) throws {
        let archive = try reader.archive()
        let catalog = try archive.catalogDamage()
        if let catalog, let sentence = FailureText.sentence(for: catalog) {
            StandardStream.note("scrollback: \(sentence)\n")
        }
        let line = TerminalLine()
        let fixed = { @Sendable (check: AccountCheck, files: Int) in
            line.clear()
            StandardStream.note(
                "\(Sanitizer.line(check.account ?? check.folder)): removed \(files.of("file")) that no message had\n")
        }
        let checks = try archive.check(
            accounts: accounts, progress: { line.show($0) }, fixed: fixes ? fixed : nil)
        line.clear()
        try write(checks, reader, leftOut: archive.skipped)
        if checks.isEmpty {
            StandardStream.note(EmptyResult.noAccounts(folder: archive.folder))
        }
        let states = checks.map(\.state)
        let wrong = states.count { $0 == .wrong }
        if wrong > 0 {
            let error = CommandError(
                .check,
                "something is wrong with \(wrong) of \(states.count == 1 ? "1 account" : "\(states.count) accounts")",
                hint: "follow the advice above")
            StandardStream.note("scrollback: \(error.sentence)\n")
            throw ExitCode(2)
        }
        if catalog != nil { throw ExitCode(2) }
        if states.contains(.unchecked) { throw ExitCode.failure }
    }

    private static func write(_ checks: [AccountCheck], _ reader: ReaderOptions, leftOut: [SkippedAccount]) throws {
        guard reader.format == .text else {
            return try reader.write(checks, as: AccountCheck.listing, leftOut: leftOut)
        }
        try reader.write(Rendered(output: checks.map { CheckText(style: reader.style).text($0) }.joined()))
    }
}

extension TerminalLine {
    fileprivate func show(_ progress: CheckProgress) {
        let account = Sanitizer.line(progress.account)
        let share = progress.share.map { ", \(Int($0 * 100)) %" } ?? ""
        show("checking \(account): \(progress.check) (\(progress.number) of \(progress.count))\(share)")
    }
}
