import Archive
import ArgumentParser
import ChatModel
import Rendering
import Service

struct UnreadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unread",
        abstract: "List the rooms with unread messages.",
        discussion: """
            EXAMPLE: scrollback unread

            Your own messages, joins, leaves, renames and modes don't count. "scrollback history ROOM --unread" shows the messages, \
            "scrollback mark-read ROOM" marks them as read.

            --remote asks each account's service for its own count, through the listener, or with the configured login if none runs. \
            "14 (+2)" means that the service counts two more. "?" means that the count is unknown; stderr says why.
            """)

    @Argument(help: RoomSelection.roomHelp, completion: ArchiveNames.roomCompletion)
    var room: String?

    @OptionGroup var accounts: AccountsOption

    @Flag(help: "Include rooms without unread messages.")
    var all = false

    @Flag(help: "Show the service's own count as well.")
    var remote = false

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func run() async throws {
        let archive = try reader.archive(cold: cold)
        let all = try await rooms(in: archive)
        if remote { return try await compare(all, archive) }
        let rooms = all.filter { showsAll || $0.unread > 0 }
        try reader.write(rooms, as: .unread(time: LocalTime(zone: reader.zone)), leftOut: archive.skipped)
        if rooms.isEmpty { reportNone(archive) }
    }

    private var showsAll: Bool { all || room != nil }

    private func compare(_ rooms: [UnreadRoom], _ archive: Archive) async throws {
        let folder = reader.folder
        let line = TerminalLine()
        let counts = ServiceCounts(archive: archive, configuration: { try folder.configuration() }) { left in
            line.show("asking about \(left) rooms")
        }
        let compared = try await counts.compare(rooms)
        line.clear()
        let shown = compared.filter { showsAll || $0.isWorthShowing }
        try reader.write(shown, as: .unread(time: LocalTime(zone: reader.zone)), leftOut: archive.skipped)
        for error in ComparedUnread.errors(shown) { StandardStream.note("scrollback: \(Sanitizer.line(error))\n") }
        if shown.isEmpty { reportNone(archive) }
    }

    private func reportNone(_ archive: Archive) {
        StandardStream.note("no unread messages in \(Sanitizer.line(archive.folder))\n")
    }

    private func rooms(in archive: Archive) async throws -> [UnreadRoom] {
        let reading = archive.reading()
        guard let room else { return try await reading.unread(accounts: accounts.account) }
        let found = try await RoomResolver.room(room, accounts: accounts.account, in: reading)
        return try await reading.unread(account: found.account, room: found.id)
    }
}
