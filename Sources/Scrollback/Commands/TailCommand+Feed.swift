import ChatModel
import Operations
import Options
import Reading
import Rendering

/// `tail --feed`.
extension TailCommand {
    /// Reads the value of `--after`.
    static func position(_ text: String) throws -> FeedPosition {
        guard let position = FeedPosition(text) else {
            // The error has the value and the option before it.
            throw ValidationError("use EPOCH:SEQ, the \"position\" of a change")
        }
        return position
    }

    func validateFeed() throws {
        guard room == nil else { throw ValidationError("--feed has all changes of an account; replace ROOM with -a") }
        guard query == nil, !new else { throw ValidationError("--feed has all changes; remove --query and --new") }
        let others = page.given.filter { $0.hasPrefix("-") && $0 != "--names" }
        guard others.isEmpty else {
            throw ValidationError("--feed has all changes; remove \(others.joined(separator: ", "))")
        }
        guard [.text, .jsonl].contains(reader.format) else {
            throw ValidationError("--feed prints one change a line; use --format jsonl")
        }
        guard after == nil || account.count < 2 else { throw Self.severalAccounts }
    }

    private static let severalAccounts = ValidationError(
        "--after is a position of one account's feed; name the account with -a")

    /// Prints what is new since the position.
    func printFeed(of reading: ArchiveReading) async throws {
        guard let selected = try selection.resolve(in: reading) else {
            return StandardStream.note(EmptyResult.noAccounts(folder: reading.folder))
        }
        let accounts = selected.scope.accounts
        guard after == nil || accounts.count == 1 else { throw Self.severalAccounts }
        try after?.check(for: accounts[0], in: reading)
        let text = FeedText(format: reader.format, style: reader.style, zone: reader.zone)
        guard follow else {
            var feed = reading.feeds.changes(of: accounts, after: after, names: page.names)
            while let changes = try feed.next() { try text.render(changes).write() }
            return
        }
        for try await changes in reading.feeds.follow(of: accounts, after: after, names: page.names) {
            try text.render(changes).write()
        }
    }
}
