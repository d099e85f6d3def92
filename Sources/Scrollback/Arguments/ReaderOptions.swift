import Accounts
import Archive
import ChatModel
import Files
import FoundationEssentials
import Operations
import Options
import Reading
import Rendering
import Settings

/// The options of every command that reads.
struct ReaderOptions: ParsableArguments {
    @OptionGroup(title: "Where") var folder: FolderOptions

    @OptionGroup(title: "Where") var shared: SharedArchiveOption

    @OptionGroup(title: "Where") var identity: IdentityOption

    @Option("format", help: "The output format.")
    var format = OutputFormat.text

    @Flag(.utc)
    var utc = false

    @Option("color", help: "Colour text; auto: on a terminal, unless NO_COLOR is set or TERM is dumb.")
    var color = ColorChoice.auto

    @Flag("no-pager", help: "Show text without a pager (default pager: SCROLLBACK_PAGER, else PAGER, else less -FRX).")
    var hasNoPager = false

    var zone: Zone {
        utc ? .gmt : .local
    }

    /// The clock and the zone of an operation.
    var context: OperationContext {
        let search = folder.search
        return OperationContext(zone: zone, bots: { search.bots(of: $0) })
    }

    var style: Style {
        format == .text ? Style(color, terminal: .standardOutput) : .plain
    }

    /// The width of the terminal in cells; nil for lines of any length.
    var width: Int? {
        format == .text ? Terminal.standardOutput?.width() : nil
    }

    /// Opens the data folder or the shared archive for reading, and notes the age of the oldest copy in a shared
    /// archive.
    ///
    /// - Parameter cold: The command's own option; nil for a command without it.
    func reading(cold: ColdOption? = nil) throws -> ArchiveReading {
        guard let archive = try shared.archive else {
            let reading = try self.archive(cold: cold).reading()
            // Leaves the files open until the program ends.
            ProgramEnd.call { reading.writeUses() }
            return reading
        }
        _ = try folder.search.namedConfiguration()
        let reading = archive.reading()
        if let copy = try reading.oldestCopy() {
            StandardStream.note("scrollback: \(CopyAgeText.sentence(copy, zone: zone))\n")
        }
        return reading
    }

    /// Opens the data folder. Reports each skipped account once, also if the command reads several times.
    ///
    /// - Parameters:
    ///   - cold: The command's own option; nil for a command without it.
    ///   - readsCopies: True to read every compressed account from a temporary copy.
    ///   - notesSkipped: False for a command that lists the skipped accounts in its answer.
    ///   - openConnections: The limit of account files that are open at once.
    /// - Throws: ``ArchiveError`` with `sharedArchive` if the command was called with a shared archive.
    func archive(
        cold: ColdOption? = nil, readsCopies: Bool = false, notesSkipped: Bool = true,
        openConnections: Int = Archive.openConnections
    ) throws -> Archive {
        guard try shared.address == nil else { throw ArchiveError.needsFiles }
        let progress = MoveProgress(verb: "expanding")
        return Archive(
            folder: try folder.resolve(), openConnections: openConnections,
            cold: readsCopies ? .copies : cold?.cold == true ? .several : .alone,
            identities: identity.identities,
            restoring: { account, bytes in bytes.map { progress.show(account, $0) } ?? progress.clear() },
            reportSkipped: { accounts in
                guard notesSkipped else { return }
                for line in SkippedAccountsText.lines(accounts, takesCold: cold != nil) {
                    StandardStream.note("scrollback: \(line)\n")
                }
            })
    }

    /// Writes a complete answer. On a terminal, uses the pager and writes the notes after it ends, so that they are
    /// directly above the next prompt. Without the default pager, writes directly; a missing pager that the user named
    /// is reported.
    ///
    /// - Parameter place: The place at which the pager opens.
    func write(_ rendered: Rendered, at place: Pager.Place = .start) throws {
        guard !rendered.output.isEmpty, let pager else { return try rendered.write() }
        let height = Terminal.standardOutput?.height() ?? 0
        if try pager.opening(at: place, of: rendered.output, height: height).show(rendered.output) {
            return try Rendered(notes: rendered.notes).write()
        }
        try rendered.write()
        guard pager.isNamed else { return }
        StandardStream.note(
            "scrollback: can't find pager \"\(Sanitizer.line(pager.command))\"; "
                + "set SCROLLBACK_PAGER to another, or to cat for none\n"
        )
    }

    /// Writes an answer of many parts as they come, with ``write(_:)``'s rules. The body ends early when the reader
    /// closes the output.
    func stream(isPaged: Bool = true, _ body: ((Rendered) throws -> Void) throws -> Void) throws {
        guard isPaged, let running = try pager?.start() else { return try body { try $0.write() } }
        var notes = ""
        do {
            try body { part in
                try running.write(part.output)
                notes += part.notes
            }
        } catch is ReaderLeft {
            // The user has quit the pager.
        } catch {
            try running.wait()
            throw error
        }
        try running.wait()
        try Rendered(notes: notes).write()
    }

    /// Writes a complete list.
    ///
    /// - Parameter leftOut: The accounts that the list lacks.
    func write<Element>(
        _ elements: [Element], as listing: Listing<Element>, leftOut: [SkippedAccount], notes: String = ""
    ) throws {
        let output = listing.render(elements, leftOut: leftOut, format: format, style: style, width: width)
        try write(Rendered(output: output, notes: notes))
    }

    private var pager: Pager? {
        guard format == .text, !hasNoPager, let terminal = Terminal.standardOutput else { return nil }
        return Pager(environment: ProcessInfo.processInfo.environment, terminal: terminal)
    }

    /// The options as given, to repeat in a suggested command.
    var given: [String] {
        folder.given
            + shared.given
            + identity.given
            + (format == .text ? [] : ["--format", format.rawValue])
            + (utc ? ["--utc"] : [])
            + (color == .auto ? [] : ["--color", color.rawValue])
            + (hasNoPager ? ["--no-pager"] : [])
    }

    /// The options as given, to repeat in a suggested `scrollback read`, which has no format and no pager.
    var givenForScreen: [String] {
        folder.given + shared.given + identity.given + (utc ? ["--utc"] : [])
            + (color == .auto ? [] : ["--color", color.rawValue])
    }
}
