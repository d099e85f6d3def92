import Accounts
import Archive
import ChatModel
import Files
import Operations
import Options
import Reading
import Rendering
import Settings

struct RetentionForgetCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract:
            "Remove everything that a person said, and their names; or one message. Without --execute, only list that.",
        discussion: """
            EXAMPLE: scrollback retention forget -a libera --user alice --delete --execute

            Network history, imports, restored backups and the shared archive don't bring it back. Holds win.
            """)

    @Option(
        "user",
        help: "The person: a present or earlier name; with one account, the id that \"users\" shows, also as id:1.",
        valueName: "name")
    var user: String?

    @Option("message", help: "The message, by its id.", valueName: "id")
    var message: String?

    @OptionGroup var accounts: AccountsOption

    @Flag("redact", help: "Keep the place of each message: \"(deleted)\", without its author and its text.")
    var redact = false

    @Flag("delete", help: "Remove the messages.")
    var delete = false

    @Flag("also-new", help: "Store nothing that the person says later either.")
    var alsoNew = false

    @Flag("execute", help: "Do it.")
    var execute = false

    @Flag("dry-run", help: "Only list it (the default).")
    var isDryRun = false

    @OptionGroup var answer: AnswerOptions
    @OptionGroup(title: "Where") var folder: FolderOptions

    @OptionGroup(title: "Where") var identity: IdentityOption

    func validate() throws {
        guard (user == nil) != (message == nil) else { throw ValidationError("name a --user or a --message") }
        guard !(execute && isDryRun) else { throw ValidationError("choose --execute or --dry-run") }
        guard !(redact && delete) else { throw ValidationError("choose --redact or --delete") }
        guard !execute || redact || delete else { throw ValidationError("--execute needs --redact or --delete") }
        if alsoNew, user == nil { throw ValidationError("--also-new needs --user") }
        _ = try messageID()
    }

    private func messageID() throws -> MessageID? {
        try asUsage { try message.map(MessageOperation.id) }
    }

    func run() async throws {
        let archive = Archive(folder: try folder.resolve(), cold: .copies, identities: identity.identities)
        let reading = archive.reading()
        var (isFound, names) = (false, [String]())
        let selected = try reading.selected(accounts.account)
        var (unreached, results): ([SkippedAccount], [AccountResult]) = ([], [])
        for account in selected {
            let found: [(subject: Forgetting.Subject, name: String?)]
            do {
                // An id is another person in each account.
                found = try subjects(in: account, reading, takesIDs: selected.count == 1, &names)
            } catch let error as ArchiveError where error.code == .encrypted && selected.count > 1 {
                unreached.append(
                    SkippedAccount(account: account.name, reason: error.code.rawValue, detail: error.detail))
                continue
            }
            for (subject, name) in found {
                isFound = true
                let plan = try reading.retention.forgettingPlan(of: account.name, subject)
                report(plan, of: name)
                guard execute else {
                    results.append(Self.result(plan, .planned, detail: "nothing was changed"))
                    continue
                }
                let request = Forgetting(subject, redacts: redact, alsoNew: alsoNew)
                results.append(try await forget(request, plan, in: account, archive))
            }
        }
        for line in SkippedAccountsText.lines(unreached, takesCold: false) {
            StandardStream.note("scrollback: \(line)\n")
        }
        guard isFound else { throw notFound(names, among: selected.count, folder: archive.folder) }
        if !execute {
            answer.note("nothing was changed; to forget it for good, add --redact or --delete, and --execute\n")
        }
        answer.note(Self.beyond)
        try answer.write(results, as: AccountResult.listing, leftOut: unreached)
        if !unreached.isEmpty { throw ExitCode.failure }
    }

    /// The places that this command can't reach, with the commands that can.
    private static let beyond = """
        not reached: backups (make a new one, and remove the old ones),
        exports (scrollback export --append), copies of either, and what others quoted in their own words\n
        """

    private func notFound(_ names: [String], among accounts: Int, folder: String) -> OperationError {
        let nearest = NearNames.question(for: user ?? "", among: names).map { "\($0) " }
        let isID = user.map { $0.hasPrefix("id:") || Int64($0) != nil } ?? false
        let first = isID && accounts > 1 ? "for an id, name the account with -a; " : nearest ?? ""
        return message == nil
            ? OperationError(
                .unknownUser, "nobody is or was called \"\(Sanitizer.line(user ?? ""))\" in \(Sanitizer.line(folder))",
                hint: first + "\"scrollback users\" lists the names")
            : OperationError(
                .unknownMessage, "no message \(Sanitizer.line(message ?? "")) in \(Sanitizer.line(folder))",
                hint: "\"scrollback history --ids\" shows ids")
    }

    /// Returns what to forget, with a person's name of today.
    ///
    /// - Parameters:
    ///   - takesIDs: True if the given word may be an id.
    ///   - names: All names of people are added.
    private func subjects(
        in account: AccountIdentity, _ reading: ArchiveReading, takesIDs: Bool, _ names: inout [String]
    ) throws -> [(subject: Forgetting.Subject, name: String?)] {
        if let id = try messageID() {
            let plan = try reading.retention.forgettingPlan(of: account.name, .message(id))
            return plan.messages + plan.events > 0 || plan.isHeld ? [(.message(id), nil)] : []
        }
        let name = user ?? ""
        let users = try reading.users(scope: .accounts([account.name]))
        names += users.flatMap(\.names).map(\.name)
        // A name may be a number, which is somebody else's id.
        let found = users.filter { user in
            user.names.contains { $0.name == name } || takesIDs && [String(user.id), "id:\(user.id)"].contains(name)
        }
        guard found.count < 2 else {
            throw OperationError(
                .ambiguous,
                "\(found.count) people have the name or the id \"\(Sanitizer.line(name))\" in account \(Sanitizer.line(account.name)): "
                    + found.map { "\(Sanitizer.line($0.name)) (id \($0.id))" }.joined(separator: ", "),
                hint: "name one by id: --user id:\(found[0].id)")
        }
        if let own = found.first(where: \.isSelf) {
            throw ValidationError(
                "\"\(Sanitizer.line(own.name))\" is you; if that is wrong: "
                    + NextCommand.line(["archive", "me", account.name, "NAME"])
                    + "; to remove the account: " + NextCommand.line(["archive", "erase", account.name])
            )
        }
        return found.map { (.user($0.id), $0.name) }
    }

    private func report(_ plan: ForgettingPlan, of name: String?) {
        let span = LocalTime(zone: .local).days(plan.first?.time, plan.last?.time)
        let author = name.map { " of \(Sanitizer.line($0))" } ?? ""
        var parts = [Int(plan.messages).of(.message) + author + (span.map { " (\($0))" } ?? "")]
        if plan.events > 0 { parts.append(Int(plan.events).of(.event)) }
        if plan.files > 0 { parts.append(AttachmentText.files(Int(plan.files))) }
        if plan.reactions > 0 { parts.append(Int(plan.reactions).of("reaction")) }
        answer.note("\(Sanitizer.line(plan.account)): \(parts.joined(separator: ", "))\n")
        guard plan.isHeld else { return }
        let holds = plan.holds.map { Sanitizer.line($0) }.joined(separator: ", ")
        answer.note(
            "\(Sanitizer.line(plan.account)): \(Self.held(plan)) and the names stay, because of a hold (\(holds))\n"
        )
    }

    /// Returns the things that holds keep, in words.
    private static func held(_ plan: ForgettingPlan) -> String {
        var figures = AccountResult.Figures()
        (figures.messages, figures.events) = (plan.held, plan.heldEvents)
        return figures.counted
    }

    private static func result(_ plan: ForgettingPlan, _ state: AccountResult.State, detail: String) -> AccountResult {
        var result = AccountResult(plan.account, state, detail: detail)
        (result.figures.messages, result.figures.events) = (plan.messages, plan.events)
        (result.figures.files, result.figures.reactions) = (plan.files, plan.reactions)
        result.figures.held = plan.held + plan.heldEvents
        return result
    }

    private func forget(
        _ request: Forgetting, _ plan: ForgettingPlan, in account: AccountIdentity, _ archive: Archive
    ) async throws -> AccountResult {
        let line = TerminalLine()
        let name = Sanitizer.line(account.name)
        let writing = StoreWriting(archive: archive, account: account)
        var result = Self.result(plan, plan.isHeld ? .incomplete : .done, detail: "")
        (result.figures.messages, result.figures.events) = (0, 0)
        var isClean = true
        var place: ForgettingPlace?
        repeat {
            let step = try await writing.perform(.forget(account: account.name, request, from: place)).forgotten
            result.figures.messages = (result.figures.messages ?? 0) + (step?.messages ?? 0)
            result.figures.events = (result.figures.events ?? 0) + (step?.events ?? 0)
            isClean = step?.isClean ?? true
            place = step?.next
            line.show("\(name): \(result.figures.counted) forgotten")
        } while place != nil
        try await writing.close()
        line.clear()
        let forgot = "forgot \(result.figures.counted)"
        let traces =
            "unused space of the file may have traces; to remove them: "
            + "scrollback archive compact \(NextCommand.word(account.name)) --execute"
        answer.note("\(name): \(forgot)\n" + (isClean ? "" : "\(name): \(traces)\n"))
        let kept = plan.isHeld ? "; \(Self.held(plan)) and the names stay, because of a hold" : ""
        result.detail = forgot + kept + (isClean ? "" : "; \(traces)")
        return result
    }
}
