package import ChatModel
import Networks
import Reading
import Rendering

/// Finds the rooms of an argument: `name`, `account/name`, `workspace/name`, an id, a part of a name that no other room
/// has, or a workspace.
package struct RoomResolver: Sendable {
    let rooms: [NamedRoom]
    /// The data folder, for errors.
    let folder: String
    /// The only account of the rooms, if the user named one.
    var account: String?
    /// True if the command takes several `--account`, for the advice in errors.
    var takesAccounts = false
    /// True for the names of `in:` in a query, for the advice in errors.
    var isOfQuery = false
    /// True if there are accounts whose rooms are unknown, because they were not read; for the advice in errors.
    var hasSkipped = false

    package init(rooms: [NamedRoom], folder: String, account: String? = nil, takesAccounts: Bool = false) {
        (self.rooms, self.folder, self.account, self.takesAccounts) = (rooms, folder, account, takesAccounts)
    }

    /// The limit of rooms that an error lists.
    private static let listed = 8

    /// Returns the one room of the argument.
    package func resolve(_ argument: String) throws(OperationError) -> NamedRoom {
        let found = try resolveAll(argument)
        if let room = found.first, found.count == 1 { return room }
        throw OperationError(
            .ambiguous, "\(quoted(argument)) is a workspace; this command takes one room",
            hint: "choose one: \(list(found))")
    }

    /// Returns the room of the argument, or all rooms of the workspace with that name.
    package func resolveAll(_ argument: String) throws(OperationError) -> [NamedRoom] {
        let meant = RoomArgument(argument)
        let found = meant.rooms(among: rooms)
        if found.count == 1 { return found }
        if let latest = Self.latest(ofNamesakes: found) { return [latest] }
        if !found.isEmpty { throw ambiguous(argument, found) }
        let workspace = meant.roomsOfWorkspace(among: rooms)
        if Set(workspace.map(\.account)).count > 1 { throw ambiguous(workspace: argument, workspace) }
        if !workspace.isEmpty { return workspace }
        let ofAccount = rooms.filter { meant.isAccount($0.account) }
        if !ofAccount.isEmpty { throw isAccount(argument, ofAccount) }
        let parts = meant.roomsByPart(among: rooms)
        if parts.count == 1 { return parts }
        throw parts.isEmpty ? unknown(argument) : several(argument, parts)
    }

    /// Returns the latest of rooms of one account that have one name, because the server changed its rules about
    /// upper and lower case; nil for other rooms. `status` says so, and `archive merge` makes them one.
    private static func latest(ofNamesakes rooms: [NamedRoom]) -> NamedRoom? {
        guard let first = rooms.first, NetworkTraits.of(first.network).hasNamesAsKeys,
            rooms.allSatisfy({ $0.account == first.account && $0.name.lowercased() == first.name.lowercased() })
        else { return nil }
        return rooms.max { $0.id < $1.id }
    }

    /// Returns the rooms that the argument means in each account: all with that name, or all of the workspaces with
    /// that name.
    package func resolveEverywhere(_ argument: String) throws(OperationError) -> [NamedRoom] {
        let meant = RoomArgument(argument)
        let found = namesakes(meant)
        if !found.isEmpty { return found }
        let workspaces = meant.roomsOfWorkspace(among: rooms)
        return workspaces.isEmpty ? try resolveAll(argument) : workspaces
    }

    /// Returns the rooms that the argument names in each account.
    func namesakes(_ argument: RoomArgument) -> [NamedRoom] {
        Dictionary(grouping: rooms, by: \.account).values.flatMap { argument.rooms(among: $0) }
    }

    /// Returns `account/name`, or `account/workspace/name` or `account/id` if that name means several rooms or can't be
    /// printed safely.
    package func name(of room: NamedRoom) -> String {
        let names =
            ["\(room.account)/\(room.name)"] + (room.workspace.map { ["\(room.account)/\($0)/\(room.name)"] } ?? [])
        return names.first { name in
            name == Sanitizer.line(name) && RoomArgument(name).rooms(among: rooms) == [room]
        } ?? "\(room.account)/\(room.id)"
    }

    private func ambiguous(_ argument: String, _ found: [NamedRoom]) -> OperationError {
        let accounts = Set(found.map(\.account)).sorted()
        let merge = takesAccounts && accounts.count == found.count ? "; or merge them: \(command(accounts))" : ""
        return OperationError(
            .ambiguous, "room \(quoted(argument)) exists in more than one place",
            hint: "choose one: \(list(found))\(merge)")
    }

    private func ambiguous(workspace argument: String, _ found: [NamedRoom]) -> OperationError {
        let names = Set(found.map { "\($0.account)/\($0.workspace ?? "")" }).sorted()
        return OperationError(
            .ambiguous, "workspace \(quoted(argument)) exists in more than one account",
            hint: "choose one: \(names.map(Sanitizer.line).joined(separator: ", "))")
    }

    private func isAccount(_ argument: String, _ rooms: [NamedRoom]) -> OperationError {
        let all = takesAccounts ? "for all of its rooms, replace it with \(command([rooms[0].account])); " : ""
        return OperationError(
            .ambiguous, "\(quoted(argument)) is an account, not a room", hint: "\(all)its rooms: \(list(rooms))")
    }

    private func several(_ argument: String, _ found: [NamedRoom]) -> OperationError {
        OperationError(
            .ambiguous, "\(found.count.grouped) rooms have \(quoted(argument)) in their names",
            hint: "choose one: \(list(found))\(quoting(found))")
    }

    /// Returns advice to quote a room's name in a query, if a name has a space; else an empty text.
    private func quoting(_ found: [NamedRoom]) -> String {
        guard isOfQuery, let spaced = found.map(name(of:)).first(where: { $0.contains(" ") && !$0.contains("\"") })
        else { return "" }
        return "; quote a name with spaces: in:\(quoted(spaced))"
    }

    private func unknown(_ argument: String) -> OperationError {
        let names = rooms.flatMap { [$0.name] + ($0.workspace.map { [$0] } ?? []) }
        let question =
            NearNames.question(for: argument, among: names)
            ?? NearNames.question(for: argument, among: rooms.map { "\($0.account)/\($0.name)" })
        let nearest = question.map { "\($0) " } ?? ""
        let hint =
            if hasSkipped {
                nearest + "a skipped account may have it"
            } else if rooms.isEmpty && account == nil {
                "the archive has no rooms; fill it with: scrollback listen"
            } else {
                nearest + "\"scrollback rooms\" lists them"
            }
        let place = account.map { "account \(quoted($0)) of " } ?? ""
        return OperationError(
            .unknownRoom, "no room \(quoted(argument)) in \(place)\(Sanitizer.line(folder))", hint: hint)
    }

    /// Returns the names of the rooms, the first ones if there are many.
    private func list(_ rooms: [NamedRoom]) -> String {
        let names = rooms.prefix(Self.listed).map { Sanitizer.line(name(of: $0)) }.joined(separator: ", ")
        return rooms.count > Self.listed ? "\(names), … (\((rooms.count - Self.listed).grouped) more)" : names
    }

    /// Returns `-a libera -a oftc`, quoted for a shell.
    private func command(_ accounts: [String]) -> String {
        accounts.flatMap(NextCommand.account).map(NextCommand.word).joined(separator: " ")
    }

    private func quoted(_ text: String) -> String {
        "\"\(Sanitizer.value(text))\""
    }
}
