import Archive
import Bytes
import ChatModel
import Moves
import Operations
import Options
import Reading
import Rendering

struct EraseCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Remove an account, or one of its rooms, for good; without --execute, only list that.",
        discussion: """
            EXAMPLE: scrollback archive erase old --execute
            EXAMPLE: scrollback archive erase whatsapp --room 'Alice Brown' --execute

            Removes everything of the account from the data folder: messages, raw bytes, files, the search index and \
            compressed files. Refuses an account with symbolic links.

            With --room, removes everything of that room, also while a listener runs. Its history is not fetched again; an \
            import brings it back. Earlier backups and exports still contain what was erased. Freed blocks of the disk may \
            contain it, too.
            """)

    @Argument("account", help: "The account.", completion: .accounts)
    var account: String

    @Option(
        "room", help: "Erase only this room: a name, or the id that \"rooms\" shows, also as id:1.", valueName: "name",
        completion: .rooms)
    var room: String?

    @Flag("execute", help: "Erase it.")
    var execute = false

    @OptionGroup var options: ResultOptions

    @OptionGroup(title: "Where") var identity: IdentityOption

    func run() async throws {
        if let room { return try await erase(room: room) }
        let archive = Archive(folder: try options.folder.resolve())
        try refuseRoom(in: archive)
        guard !execute else {
            let erased = try archive.erase(account: account)
            StandardStream.note("erased \(Self.sentence(erased))\n")
            return try write(AccountResult(erased, .done, detail: Self.contents(erased)), archive)
        }
        let accounts = try archive.reading().accountSummaries()
        // As `erase` finds it: older archives may have two accounts whose names only look the same.
        guard let summary = accounts.first(where: { $0.account.isExactly(account) }) else {
            throw RoomSelection.unknown(account: account, known: accounts.map(\.account), folder: archive.folder)
        }
        try archive.requireErasable(summary)
        let files = try archive.attachmentSize(of: summary)
        let more = files.count == 0 ? "" : ", and \(AttachmentText.files(files.count)) of \(ByteCount(files.bytes))"
        StandardStream.note(
            """
            this would erase \(Self.sentence(summary))\(more)
            nothing was changed; to erase it for good, add --execute\n
            """)
        var planned = AccountResult(summary, .planned, detail: Self.contents(summary) + more)
        (planned.figures.files, planned.figures.fileBytes) = (Int64(files.count), files.bytes)
        try write(planned, archive)
    }

    /// Refuses the name of a room, `account/name`.
    private func refuseRoom(in archive: Archive) throws {
        guard account.contains("/") else { return }
        let known = try archive.reading().accounts().map(\.name)
        guard !known.contains(account), let whole = known.first(where: { account.hasPrefix($0 + "/") }) else { return }
        throw OperationError(
            .unknownAccount, "\"\(Sanitizer.line(account))\" is a room, not an account",
            hint: "to see what the room has: scrollback archive erase \(NextCommand.word(whole)) --room "
                + NextCommand.word(String(account.dropFirst(whole.count + 1))))
    }

    func write(_ result: AccountResult, _ archive: Archive) throws {
        guard options.format != .text else { return }
        let listing = AccountResult.listing
        try StandardStream.output.write(listing.render([result], leftOut: archive.skipped, format: options.format))
    }

    /// Returns a sentence such as `old: 12 messages in 3 rooms, 2021-03-04 to 2022-01-01, 1.2 MB in
    /// data/accounts/old-7f3k2a`.
    private static func sentence(_ summary: AccountSummary) -> String {
        "\(Sanitizer.line(summary.account)): \(contents(summary))"
    }

    private static func contents(_ summary: AccountSummary) -> String {
        let days = LocalTime(zone: .local).days(summary.firstMessage?.time, summary.lastMessage?.time)
        let size = ByteCount(summary.coldBytes ?? summary.bytes)
        let rooms = summary.rooms == 1 ? "1 room" : "\(summary.rooms) rooms"
        let counts = "\(Int(summary.messages).of(.message)) in \(rooms)"
        return "\(counts)\(days.map { ", \($0)" } ?? ""), \(size) in \(Sanitizer.line(summary.folder))"
    }
}
