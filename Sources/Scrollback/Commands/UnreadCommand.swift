import Archive
import ArgumentParser
import ChatModel

struct UnreadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unread",
        abstract: "List the rooms that have messages which nobody has marked as read.",
        discussion: """
            EXAMPLE: scrollback unread

            Your own messages, joins, leaves, renames and modes don't count. "scrollback history ROOM --unread" shows the \
            messages, "scrollback mark-read ROOM" marks them.
            """)

    @Argument(help: RoomSelection.roomHelp, completion: ArchiveNames.roomCompletion)
    var room: String?

    @Flag(help: "Rooms without unread messages too.")
    var all = false

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func run() async throws {
        let archive = try reader.archive(readsCold: cold.cold)
        let rooms = try await rooms(in: archive).filter { all || room != nil || $0.unread > 0 }
        try reader.write(rooms, as: .unread(time: LocalTime(zone: reader.zone)))
        if rooms.isEmpty {
            StandardStream.note("nothing unread in \(Sanitizer.line(archive.folder))\n")
        }
    }

    private func rooms(in archive: Archive) async throws -> [UnreadRoom] {
        guard let room else { return try await archive.unread() }
        let found = try await RoomResolver.find(room, in: archive).room
        return try await archive.unread(account: found.account, room: found.id)
    }
}
