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
    /// The patterns of rooms that are hidden whatever the parts say. Only a reader of an account knows which rooms that
    /// are, because rooms get other names: ``rooms(of:named:)``.
    private var hidden: [RoomPattern] = []
    /// The reader's own read marks; nil for a reader who uses the owner's.
    package private(set) var marks: ReaderMarks?

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

    /// Returns true if the reader may see the account, or a part of it. A pattern `ACCOUNT/*` hides the account.
    package func sees(account: String) -> Bool {
        part(account) != nil && !hidden.contains { $0.matchesEveryRoom(of: account) }
    }

    /// Returns true if no room of the account is hidden, whatever rooms it has.
    package func seesAll(of account: String) -> Bool { part(account) == .whole && hidden.isEmpty }

    /// True if nothing of any account is hidden.
    package var isEverything: Bool { parts == nil && hidden.isEmpty }

    /// Returns the same access for a reader with marks of their own.
    package func with(marks: ReaderMarks?) -> ReadAccess {
        var access = self
        access.marks = marks
        return access
    }

    /// Returns the access without the rooms that have or had a name that a pattern matches: `NAME` or `ACCOUNT/NAME`.
    package func hiding(_ patterns: [RoomPattern]) -> ReadAccess {
        var access = self
        access.hidden += patterns.filter { !access.hidden.contains($0) }
        return access
    }

    /// Returns the numbers of the rooms that the reader may see; nil for all rooms of the account.
    ///
    /// - Parameter named: Returns every name that each room of the account has or had.
    package func rooms(
        of account: String, named: () throws -> [(room: Int64, name: String)]
    ) rethrows -> Set<Int64>? {
        let given: Set<Int64>? =
            switch part(account) {
            case nil: []
            case .whole?: nil
            case .rooms(let rooms)?: rooms
            }
        guard !hidden.isEmpty else { return given }
        let names = try named()
        let matched = names.filter { _, name in
            hidden.contains { $0.matches(name) || $0.matches("\(account)/\(name)") }
        }
        if matched.isEmpty { return given }
        return (given ?? Set(names.map(\.room))).subtracting(matched.map(\.room))
    }

    private func part(_ account: String) -> Part? {
        guard let parts else { return .whole }
        return parts.first { $0.key.utf8.elementsEqual(account.utf8) }?.value
    }
}
