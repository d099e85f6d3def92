/// The accounts and rooms that a reader may see. To the reader, others do not exist.
package struct ReadAccess: Sendable, Hashable {
    /// The part of an account.
    package enum Part: Sendable, Hashable {
        case whole
        /// Some rooms, by their numbers. Everything else of the account is hidden.
        case rooms(Set<Int64>)
    }

    /// The parts of accounts by name; nil for everything.
    private let parts: [String: Part]?
    /// When each account was created, where access was given to that account alone. One that was created at another
    /// time has the same name by chance, and its rooms have other numbers.
    private let creations: [String: Timestamp]
    /// Rooms that are hidden whatever the parts say.
    private var hidden: Set<RoomKey> = []

    package static let everything = ReadAccess(parts: nil, creations: [:])

    private init(parts: [String: Part]?, creations: [String: Timestamp]) {
        (self.parts, self.creations) = (parts, creations)
    }

    /// - Parameter creations: The creation times of accounts that must still be the same.
    package init(_ parts: [String: Part], creations: [String: Timestamp] = [:]) {
        self.init(parts: parts, creations: creations)
    }

    /// Returns false if access was given to another account of that name.
    package func isFor(_ account: String, createdAt: Timestamp) -> Bool {
        creations.first { $0.key.utf8.elementsEqual(account.utf8) }.map { $0.value == createdAt } ?? true
    }

    package func sees(account: String) -> Bool { part(account) != nil }

    package func seesAll(of account: String) -> Bool {
        part(account) == .whole && !hidden.contains { $0.account.utf8.elementsEqual(account.utf8) }
    }

    /// The access to all of the accounts of which this one sees a part, for a reader that shows only that part.
    package var ofWholeAccounts: ReadAccess {
        ReadAccess(parts: parts?.mapValues { _ in .whole }, creations: creations)
    }

    /// Returns the access without some rooms.
    package func hiding(_ rooms: some Sequence<RoomKey>) -> ReadAccess {
        var access = self
        access.hidden.formUnion(rooms)
        return access
    }

    package func sees(_ room: RoomKey) -> Bool {
        switch part(room.account) {
        case nil: false
        case _? where hidden.contains(room): false
        case .whole?: true
        case .rooms(let rooms)?: rooms.contains(room.id)
        }
    }

    /// Returns true if the scope has only what the reader may see.
    package func covers(_ scope: MessageQuery.Scope) -> Bool {
        switch scope {
        case .accounts(let names): names.allSatisfy(seesAll)
        case .rooms(let rooms): rooms.allSatisfy(sees)
        }
    }

    private func part(_ account: String) -> Part? {
        guard let parts else { return .whole }
        return parts.first { $0.key.utf8.elementsEqual(account.utf8) }?.value
    }
}
