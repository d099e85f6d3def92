import Accounts
import Archive
import ChatModel
import Files
import Glibc
import Operations
import Options
import Reader
import Reading
import Rendering
import Settings

struct ReadCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Read the archive on a full screen: page, search, jump to a date or a gap, follow new messages.",
        discussion: """
            EXAMPLE: scrollback read classroom/lobby

            ? shows the keys. Without ROOM, the room with the newest message opens; "scrollback" alone does the same. It needs a \
            terminal and the library ncursesw.
            """)

    @Argument(.room)
    var room: String?

    @Option(.accounts)
    var account: [String] = []

    @Option("query", short: "q", help: "Begin with a search, as \"scrollback search\" takes it.", valueName: "query")
    var query: String?

    @Option(.around)
    var around: String?

    @Option(.day)
    var day: String?

    @Flag(.utc)
    var utc = false

    @Option("color", help: "Colour text; auto: on a terminal, unless NO_COLOR is set or TERM is dumb.")
    var color = ColorChoice.auto

    @OptionGroup var cold: ColdOption
    @OptionGroup(title: "Where") var folder: FolderOptions
    @OptionGroup(title: "Where") var shared: SharedArchiveOption
    @OptionGroup(title: "Where") var identity: IdentityOption

    func validate() throws {
        guard around == nil && day == nil || room != nil else {
            throw ValidationError("--around and --day need a ROOM; \"scrollback rooms\" lists them")
        }
        _ = try asUsage { try place() }
    }

    func run() throws {
        guard isatty(0) == 1, let terminal = Terminal.standardOutput else {
            throw OutputError(
                .terminal, "\"scrollback read\" needs a terminal for input and output", hint: "use scrollback history")
        }
        let archive = try shared.archive == nil ? try openFiles() : nil
        let reading = try archive?.reading() ?? openShared()
        ProgramEnd.call { reading.writeUses() }
        let search = folder.search
        let context = OperationContext(zone: zone, bots: { search.bots(of: $0) })
        let key = try room.map { try RoomResolver.room($0, accounts: account, in: reading).key }
        guard try !reading.accounts().isEmpty else {
            StandardStream.note(EmptyResult.noAccounts(folder: reading.folder))
            throw ExitCode.failure
        }
        let settings = ReaderSettings(
            zone: zone, isWatched: !reading.isShared,
            marksNothing: reading.isShared
                ? "a shared archive has no marks; mark-read works where the account's files are" : nil,
            given: given)
        let model = ReaderModel(
            settings: settings, size: ReaderProgram.size, room: key, place: try place(), query: query)
        var program = ReaderProgram(
            reading, fetcher: ArchiveFetcher(reading, accounts: account, context: context), model: model,
            wantsColour: Style(color, terminal: terminal).isColored, mark: Self.marking(archive))
        let command = try program.run()
        try StandardStream.output.write("to return here: \(command)\n")
    }

    private var zone: Zone { utc ? .gmt : .local }

    /// Returns the place to open in the room.
    private func place() throws -> ReaderRequest.Place {
        switch (around, day) {
        case (nil, nil): return .latest
        case (let around?, nil): return .around(try TimePhrase(parameter: around, zone: zone, now: .now()).start)
        case (nil, let day?): return .from(try TimePhrase(parameter: day, zone: zone, now: .now()).start)
        case (_?, _?): throw UsageError("--around and --day can't be combined; give one")
        }
    }

    /// Opens the data folder. Skipped accounts are reported on the screen.
    private func openFiles() throws -> Archive {
        Archive(
            folder: try folder.resolve(), cold: cold.cold ? .several : .alone, identities: identity.identities)
    }

    private func openShared() throws -> ArchiveReading {
        _ = try folder.search.namedConfiguration()
        guard let shared = try shared.archive else { throw ArchiveError.needsFiles }
        return shared.reading()
    }

    /// The options to repeat in a command that opens a place.
    private var given: [String] {
        account.flatMap(NextCommand.account) + cold.given + (utc ? ["--utc"] : [])
            + (color == .auto ? [] : ["--color", color.rawValue]) + folder.given + shared.given + identity.given
    }

    /// Returns the function that marks rooms as read; one that does nothing for a shared archive.
    private static func marking(_ archive: Archive?) -> ReaderProgram.Marking {
        guard let archive else { return { _, _, done in done(nil) } }
        return { room, through, done in
            // A task without a parent: the main thread, which waits for keys, gets the result by `done`.
            Task {
                do {
                    try await mark(room, through: through, in: archive)
                    done(nil)
                } catch {
                    done(Sanitizer.line(FailureText.sentence(for: error) ?? "\(error)"))
                }
            }
        }
    }

    @concurrent private static func mark(_ room: RoomKey, through: MessageID, in archive: Archive) async throws {
        let accounts = try await onThread { try archive.reading().accounts() }
        guard let account = accounts.first(where: { $0.name == room.account }) else {
            throw ArchiveError(code: .unknownAccount, detail: "no account \"\(room.account)\"")
        }
        let writing = StoreWriting(archive: archive, account: account)
        try await writing.perform(.markRead(account: room.account, rooms: [room.id], through: through))
        try await writing.close()
    }

    /// True if `scrollback` alone opens the reader: on a terminal, with an archive and the library.
    static var opensAlone: Bool {
        guard isatty(0) == 1, let terminal = Terminal.standardOutput, terminal.hasFullScreen else { return false }
        guard let folder = try? FolderSearch().existingDataFolder(), access(folder, F_OK) == 0 else { return false }
        guard let accounts = try? Archive(folder: folder).reading().accounts(), !accounts.isEmpty else { return false }
        return (try? ReaderProgram.requireLibrary()) != nil
    }
}
