import Archive
import ArgumentParser
import ChatModel
import Foundation
import Rendering

struct AttachmentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attachments",
        abstract: "List the files that came with messages, and where they are; fetch those that are missing.",
        discussion: """
            EXAMPLE: scrollback attachments work/general --missing

            Files that are here stand in the account's folder under the SHA-256 of what is in them; FILE is the path. --fetch \
            has the running listener fetch them, or logs in by itself where none runs. Interrupted, the same command goes on. \
            Exit status: 0 fine, 1 some could not be fetched.
            """)

    @Argument(help: RoomSelection.roomHelp, completion: ArchiveNames.roomCompletion)
    var room: String?

    @Option(
        name: .shortAndLong, help: "The files of an account, or of ROOM in it; may be repeated.",
        completion: ArchiveNames.accountCompletion)
    var account: [String] = []

    @Flag(help: "Only files that are not here.")
    var missing = false

    @OptionGroup var times: TimeOptions

    @Option(
        name: [.customShort("n", allowingJoined: true), .customLong("limit")], help: "How many files: 1 to 1000.")
    var limit = MessageQuery.defaultLimit

    @Flag(help: "Fetch the files that are not here, whatever the configuration says; those that are gone are left.")
    var fetch = false

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        try selection.validate()
        guard MessageQuery.limits.contains(limit) else {
            throw ValidationError("-n takes 1 to 1000, not \(limit); for more, use the printed cursors")
        }
        _ = try times.bounds(zone: reader.zone)
    }

    func run() async throws {
        let archive = try reader.archive(cold: cold)
        let reading = archive.reading()
        guard let selected = try await selection.resolve(in: reading) else {
            if !fetch { try reader.write([], as: listing) }
            return StandardStream.note(EmptyResult.noAccounts(folder: archive.folder))
        }
        let (after, before) = try times.bounds(zone: reader.zone)
        guard !fetch else {
            return try await AttachmentFetching(
                archive: archive, configuration: try reader.folder.configuration(), scope: selected.scope,
                after: after, before: before
            ).run()
        }
        let page = try await reading.attachments(
            AttachmentQuery(
                scope: selected.scope, after: after, before: before, isMissingOnly: missing,
                isForward: after != nil && before == nil, limit: limit))
        try write(page, selected)
        if page.attachments.isEmpty {
            StandardStream.note("no \(missing ? "missing " : "")files found in \(Sanitizer.line(archive.folder))\n")
        }
    }

    private func write(_ page: AttachmentPage, _ selected: RoomSelection.Selected) throws {
        let arguments = selected.arguments == ["--all"] ? [] : selected.arguments
        let next = NextCommand(
            subject: arguments,
            options: (missing ? ["--missing"] : []) + (limit == MessageQuery.defaultLimit ? [] : ["-n", String(limit)])
                + cold.given + reader.given,
            command: "attachments")
        let notes = (page.older.map { next.older($0) + "\n" } ?? "") + (page.newer.map { next.newer($0) + "\n" } ?? "")
        try reader.write(
            Rendered(
                output: listing.render(
                    page.attachments, format: reader.format, style: reader.style, width: reader.width),
                notes: notes))
    }

    private var listing: Listing<StoredAttachment> {
        .attachments(time: LocalTime(zone: reader.zone))
    }

    private var selection: RoomSelection {
        RoomSelection(room: room, accounts: account, all: room == nil && account.isEmpty)
    }
}
