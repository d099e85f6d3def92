import Archive
import ArgumentParser
import ChatModel
import Rendering

struct RoomsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rooms",
        abstract: "List the rooms in the archive.",
        discussion: """
            EXAMPLE: scrollback rooms --sort last

            A wide terminal shows the last message of each room as well.
            """)

    enum Order: String, Sendable, CaseIterable, ExpressibleByArgument {
        case name, last, messages
    }

    @OptionGroup var accounts: AccountsOption

    @Option(help: "Sort by name, by the last message (newest first), or by the number of messages (most first).")
    var sort = Order.name

    @Option(help: "Only rooms of this kind.")
    var kind: RoomReference.Kind?

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func run() async throws {
        let archive = try reader.archive(cold: cold)
        let all = try await archive.reading().roomList(accounts: accounts.account)
        let rooms = Self.sorted(all.filter { kind == nil || $0.kind == kind }, by: sort)
        let listing = Listing<Room>.rooms(time: LocalTime(zone: reader.zone))
        try reader.write(rooms, as: listing, leftOut: archive.skipped)
        if all.isEmpty {
            StandardStream.note(EmptyResult.noRooms(folder: archive.folder))
        } else if rooms.isEmpty, let kind {
            StandardStream.note("no rooms of kind \(kind.rawValue) in \(Sanitizer.line(archive.folder))\n")
        }
    }

    /// Returns the rooms in an order; rooms that are equal in it stay in the order of their names.
    static func sorted(_ rooms: [Room], by order: Order) -> [Room] {
        func sorted<Key: Comparable>(_ key: (Room) -> Key) -> [Room] {
            rooms.enumerated().sorted { (key($0.element), $1.offset) > (key($1.element), $0.offset) }.map(\.element)
        }
        return switch order {
        case .name: rooms
        case .last: sorted { $0.lastMessage?.microseconds ?? .min }
        case .messages: sorted(\.messages)
        }
    }
}

extension RoomReference.Kind: ExpressibleByArgument {}
