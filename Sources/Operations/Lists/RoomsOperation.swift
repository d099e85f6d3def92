package import ChatModel
package import Options
package import Reading
import Rendering

/// The rooms of the archive with their last messages.
package struct RoomsOperation: ArchiveOperation {
    package enum Order: String, Sendable, CaseIterable {
        case name, last, messages
    }

    package var accounts: [String]
    package var order: Order
    package var kind: RoomReference.Kind?

    package init(accounts: [String], order: Order = .name, kind: RoomReference.Kind? = nil) {
        (self.accounts, self.order, self.kind) = (accounts, order, kind)
    }

    package static let parameters: [Parameter] = [
        .accounts,
        .roomOrder, .roomKind,
        .cold,
    ]

    package init(_ parameters: OperationParameters) throws {
        self.init(
            accounts: parameters.texts("account"), order: parameters.choice("sort") ?? .name,
            kind: parameters.choice("kind"))
    }

    /// Returns the rooms, and the number of rooms of every kind.
    package func rooms(in reading: ArchiveReading) throws -> (rooms: [Room], all: Int) {
        let all = try reading.roomList(accounts: accounts)
        return (Self.sorted(all.filter { kind == nil || $0.kind == kind }, by: order), all.count)
    }

    /// Returns the rooms in the same order, with the parts of ``ArchiveReading/roomOutlines(accounts:isSorted:)`` alone: a page of a
    /// long list reads the others of its rooms.
    package func outlines(in reading: ArchiveReading) throws -> [Room] {
        // No two messages of an account have one time.
        let rooms = try reading.roomOutlines(accounts: accounts, isSorted: order != .last)
        return Self.sorted(rooms.filter { kind == nil || $0.kind == kind }, by: order)
    }

    package func answer(in reading: ArchiveReading, _ context: OperationContext) throws -> OperationAnswer {
        let rooms = try rooms(in: reading).rooms
        return OperationAnswer(rooms, as: Room.listing(time: context.localTime), leftOut: reading.skipped)
    }

    /// Returns the rooms in an order; rooms that are equal in it stay in the order of their names, those of direct
    /// conversations last. The order of names is that by account, workspace and name (``SortedName``).
    package static func sorted(_ rooms: [Room], by order: Order) -> [Room] {
        switch order {
        case .name:
            rooms.enumerated().map {
                (
                    offset: $0.offset, room: $0.element, workspace: SortedName($0.element.workspace ?? ""),
                    name: SortedName($0.element.name)
                )
            }
            .sorted {
                ($0.room.account, $0.workspace, $0.name, $0.offset)
                    < ($1.room.account, $1.workspace, $1.name, $1.offset)
            }
            .map(\.room)
        case .last: rooms.stablySorted { $0.lastMessage?.microseconds ?? .min }
        case .messages: rooms.stablySorted(by: \.messages)
        }
    }
}

extension Array {
    /// Returns the elements with the highest key first; those with equal keys stay in their order.
    func stablySorted<Key: Comparable>(by key: (Element) -> Key) -> [Element] {
        enumerated().sorted { (key($0.element), $1.offset) > (key($1.element), $0.offset) }.map(\.element)
    }
}
