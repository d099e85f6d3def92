import Archive
import ChatModel
import FoundationEssentials
import Operations
import Options
import Reading
import Rendering

struct AttachmentsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "attachments",
        abstract: "List the files that came with messages; fetch missing ones.",
        discussion: """
            EXAMPLE: scrollback attachments work/general --missing

            Stored files are in the account's folder, named by their SHA-256; FILE is the path. --fetch also fetches \
            the pictures of people and rooms. It uses the running listener, or logs in itself if none runs. After an \
            interruption, repeat the command: it continues.
            Exit status: 0 done, 1 a file could not be fetched.
            """)

    @Argument(.room)
    var room: String?

    @OptionGroup var accounts: AccountsOption

    @Flag(.missing)
    var missing = false

    @OptionGroup var times: TimeOptions

    @Option(.files, transform: MessageLimit.init(parameter:))
    var limit: MessageLimit?

    @Flag(
        "fetch",
        help:
            "Fetch missing files, even if the configuration does not fetch any; skip files that the service has deleted."
    )
    var fetch = false

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        try asUsage { try selection.validate() }
        _ = try times.bounds(zone: reader.zone)
    }

    func run() async throws {
        let work = fetch ? try ServerProgram.work() : nil
        let archive = fetch ? try reader.archive(cold: cold) : nil
        let reading = if let archive { archive.reading() } else { try reader.reading(cold: cold) }
        guard let selected = try selection.resolve(in: reading) else {
            if !fetch { try reader.write([], as: listing, leftOut: reading.skipped) }
            return StandardStream.note(EmptyResult.noAccounts(folder: reading.folder))
        }
        if let archive, let work {
            let (after, before) = try times.bounds(zone: reader.zone)
            let isDone = try await work.fetchFiles(
                FileWork(
                    archive: archive, search: reader.folder.search, scope: selected.scope, after: after, before: before)
            )
            if !isDone { throw ExitCode.failure }
            return
        }
        let operation = AttachmentsOperation(
            selection: selection, bounds: times.bounds, isMissingOnly: missing, limit: limit)
        let page = try operation.page(selected.scope, in: reading, reader.context)
        try write(page, selected, leftOut: reading.skipped)
        if page.attachments.isEmpty {
            StandardStream.note("no \(missing ? "missing " : "")files found in \(Sanitizer.line(reading.folder))\n")
        }
    }

    private func write(
        _ page: AttachmentPage, _ selected: RoomSelection.Selected, leftOut: [SkippedAccount]
    ) throws {
        let arguments = selected.arguments == ["--all"] ? [] : selected.arguments
        let next = NextCommand(
            subject: arguments,
            options: (missing ? ["--missing"] : []) + (limit.map { ["-n", "\($0)"] } ?? []) + cold.given + reader.given,
            command: "attachments", after: times.both?.after, before: times.both?.before)
        let notes = (page.older.map { next.older($0) + "\n" } ?? "") + (page.newer.map { next.newer($0) + "\n" } ?? "")
        try reader.write(page.attachments, as: listing, leftOut: leftOut, notes: notes)
    }

    private var listing: Listing<StoredAttachment> {
        StoredAttachment.listing(time: LocalTime(zone: reader.zone))
    }

    private var selection: RoomSelection {
        accounts.selection(room: room)
    }
}
