package import ChatModel
package import Options
package import Reading
import Rendering

/// People with their earlier names, of all rooms or of one.
package struct UsersOperation: ArchiveOperation {
    package enum Order: String, Sendable, CaseIterable {
        case name, messages
    }

    package var selection: RoomSelection
    package var order: Order

    package init(selection: RoomSelection, order: Order = .name) {
        (self.selection, self.order) = (selection, order)
    }

    package static let parameters: [Parameter] = [
        .room, .accounts, .userOrder,
        .cold,
    ]

    package init(_ parameters: OperationParameters) throws {
        self.init(selection: parameters.selection, order: parameters.choice("sort") ?? .name)
    }

    /// Returns the users; nil if the archive has no account.
    package func users(in reading: ArchiveReading) throws -> [User]? {
        guard let selected = try selection.resolve(in: reading) else { return nil }
        return Self.sorted(try reading.users(scope: selected.scope, countsMessages: true), by: order)
    }

    package func answer(in reading: ArchiveReading, _ context: OperationContext) throws -> OperationAnswer {
        let listing = User.listing(time: context.localTime, showsAccounts: false, showsRoom: false)
        return OperationAnswer(try users(in: reading) ?? [], as: listing, leftOut: reading.skipped)
    }

    /// Returns the users in an order; those with equal numbers of messages stay in the order of their names.
    package static func sorted(_ users: [User], by order: Order) -> [User] {
        order == .messages ? users.stablySorted { $0.messages ?? 0 } : users
    }
}
