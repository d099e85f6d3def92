import Archive
import ChatModel
import Options
import Reading
import Rendering
import Scrollback
import Service
import Sessions
import Settings

/// Runs `attachments --fetch`: requests files, account by account, and reports the fetched and the missing ones.
struct AttachmentFetching: Sendable {
    let archive: Archive
    let configuration: Configuration?
    let scope: MessageQuery.Scope
    let after: MessageID?
    let before: MessageID?
    private let signals = StopSignals()

    /// - Throws: ``ConfigurationError`` for a configuration with mistakes.
    init(_ options: FileWork) throws {
        (archive, configuration) = (options.archive, try options.search.checkedConfiguration())
        (scope, after, before) = (options.scope, options.after, options.before)
    }

    /// Returns true if all files were fetched.
    func run() async throws -> Bool {
        configuration?.limit(archive)
        let known = try archive.reading().accounts()
        let accounts = known.filter {
            scope.accounts.contains($0.name) && KnownNetworks.capabilities(network: $0.network).contains(.files)
        }
        guard !accounts.isEmpty else {
            StandardStream.note("none of these accounts has a network with files\n")
            return true
        }
        var hasFailed = false
        try await signals.watched {
            for account in accounts where signals.number == 0 {
                do {
                    if try await !fetch(account) { hasFailed = true }
                } catch  where accounts.count > 1 && FailureText.sentence(for: error) != nil {
                    // An account that fails does not stop the others.
                    StandardStream.note("scrollback: \(FailureText.sentence(for: error) ?? "")\n")
                    hasFailed = true
                }
            }
        }
        if signals.number != 0 { throw EndedBySignal(signal: signals.number) }
        return !hasFailed
    }

    /// Requests the files of an account and waits for them.
    ///
    /// - Returns: True if all of them were fetched.
    private func fetch(_ account: AccountIdentity) async throws -> Bool {
        let begun = Timestamp.now()
        let settings = settings(of: account)
        let source = AttachmentSource(
            archive: archive, account: account, settings: settings, signals: signals, begun: begun)
        let rooms: [Int64?] = scope.rooms(of: account.name) ?? [nil]
        for room in rooms where signals.number == 0 {
            try await source.fetch(
                AttachmentRequest(room: room, after: after, before: before, limit: settings?.fileSizeLimit))
        }
        return try reportResult(account, since: begun)
    }

    private func settings(of account: AccountIdentity) -> AccountConfiguration? {
        configuration?.accounts.first { $0.identity == account }
    }

    /// The limit of failed files that are named. The list of files has the others.
    private static let named = 10

    private func reportResult(_ account: AccountIdentity, since begun: Timestamp) throws -> Bool {
        let tally = try archive.reading().files.attachmentTally(account: account.name, since: begun)
        let name = Sanitizer.line(account.name)
        let fetched = "\(AttachmentText.files(tally.fetched)) fetched, \(ByteCount(tally.bytes))"
        let isStopped = signals.number != 0
        StandardStream.note(
            "\(name): \(tally.fetched + tally.failed + tally.waiting == 0 ? "no missing files to fetch" : fetched)"
                + (isStopped && tally.waiting > 0
                    ? "; stopped with \(tally.waiting.grouped) to go; the same command resumes" : "") + "\n")
        guard tally.failed > 0 else { return tally.waiting == 0 }
        let query = AttachmentQuery(scope: scope, after: after, before: before, isMissingOnly: true, limit: 1000)
        let missing = try archive.reading().files.attachments(query).attachments.filter {
            $0.account == account.name && $0.triedAt.map { $0 >= begun } ?? false
        }
        for stored in missing.prefix(Self.named) {
            StandardStream.note(
                "  \(Sanitizer.line("\(stored.account)/\(stored.room)")) \(stored.message) "
                    + "\(Sanitizer.line(stored.attachment.name)): \(Sanitizer.line(AttachmentText.state(stored)))\n")
        }
        let pictures = try archive.reading().files.failedPictures(
            account: account.name, since: begun, limit: Self.named)
        for (picture, error) in pictures {
            StandardStream.note("  picture \(AttachmentText.failure(of: picture, error))\n")
        }
        let list = NextCommand.line(["attachments"] + NextCommand.account(account.name) + ["--missing"])
        let error = CommandError(
            .notFetched, "\(AttachmentText.files(tally.failed)) of account \"\(name)\" could not be fetched",
            hint: "\"\(list)\" lists the reasons")
        StandardStream.note("scrollback: \(error.sentence)\n")
        return false
    }
}
