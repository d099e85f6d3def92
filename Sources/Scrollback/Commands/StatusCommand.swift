import Archive
import ChatModel
import Files
import Operations
import Options
import Reading
import Rendering
import Settings

struct StatusCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of each account: connection, last message, gaps, size.",
        discussion: """
            EXAMPLE: scrollback status

            The state comes from the running listener; for an account without one, from the account's file.

            --check prints one line for each trouble, or one line if there is none, for a monitoring system. Exit status: 0 \
            no trouble, 1 an account is not connected or behind, or its disk is in trouble.
            """)

    @OptionGroup var accounts: AccountsOption

    @Flag("check", help: "Print only troubles, a line each; exit with status 1 if there is any.")
    var check = false

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        if check, !accounts.account.isEmpty {
            throw ValidationError("--check looks at every account; remove --account")
        }
        if check, reader.format != .text { throw ValidationError("--check prints lines of text; remove --format") }
    }

    func run() throws {
        try reader.folder.search.checkNamedConfiguration()
        if check { return try checkAll() }
        let archive = try reader.archive(cold: cold)
        let reading = archive.reading()
        var context = reader.context
        context.configuration = { [search = reader.folder.search] in try ConfiguredAccounts(search, $0).has }
        context.listenerStatus = { Self.reported(to: archive) }
        let statuses = try selected(from: StatusOperation().statuses(in: reading, context), reading)
        let listing = AccountStatus.listing(time: LocalTime(zone: reader.zone), now: .now())
        try reader.write(statuses, as: listing, leftOut: archive.skipped)
        if statuses.isEmpty, archive.skipped.isEmpty {
            StandardStream.note(EmptyResult.noAccounts(folder: archive.folder))
        }
    }

    /// Returns the states of the accounts that the user named; all if none is named.
    private func selected(
        from statuses: [AccountStatus], _ reading: ArchiveReading
    ) throws -> [AccountStatus] {
        let wanted = accounts.account
        guard !wanted.isEmpty else { return statuses }
        let known = Set(try reading.accounts().map(\.name) + statuses.map(\.account))
        try RoomSelection.requireKnown(wanted, among: Array(known), folder: reading.folder)
        return statuses.filter { wanted.contains($0.account) }
    }

    /// Returns the states that the listener reports; nil if none answers.
    private static func reported(to archive: Archive) -> [AccountStatus]? {
        do {
            return try ControlClient(folder: archive.folder).statusWaiting()
        } catch {
            StandardStream.note("scrollback: \(error); showing what the files have\n")
            return nil
        }
    }

    private func checkAll() throws {
        let archive = try reader.archive(cold: cold, notesSkipped: false)
        let check: StatusCheck
        do {
            check = try statusCheck(of: archive)
        } catch let error as ServiceError {
            try StandardStream.output.write("CRITICAL: \(error.detail)\n")
            throw ExitCode.failure
        } catch let error as ArchiveError {
            // For example, no account can be read.
            try StandardStream.output.write("CRITICAL: \(Sanitizer.line(error.detail))\n")
            throw ExitCode.failure
        }
        let troubles = check.troubles
        try StandardStream.output.write(troubles.isEmpty ? check.fine : troubles.joined())
        if !troubles.isEmpty { throw ExitCode.failure }
    }

    private func statusCheck(of archive: Archive) throws -> StatusCheck {
        let reading = archive.reading()
        let configured = try ConfiguredAccounts(reader.folder.search, reading)
        let reported = try ControlClient(folder: archive.folder).statusWaiting()
        let unreadable = try reading.unreadable(except: Set((reported ?? []).map(\.account)))
        return StatusCheck(
            reported: reported, expected: configured.expected, unreadable: unreadable,
            disk: archive.disk.map { StatusCheck.Disk(free: $0.free, total: $0.total) }, now: .now(),
            time: LocalTime(zone: reader.zone))
    }
}
