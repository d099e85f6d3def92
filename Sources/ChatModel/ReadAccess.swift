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

    package static let everything = ReadAccess(parts: nil)

    private init(parts: [String: Part]?) {
        self.parts = parts
    }

    package init(_ parts: [String: Part]) {
        self.init(parts: parts)
    }

    package func sees(account: String) -> Bool { part(account) != nil }

    package func seesAll(of account: String) -> Bool { part(account) == .whole }

    package func sees(_ room: RoomKey) -> Bool {
        switch part(room.account) {
        case nil: false
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
