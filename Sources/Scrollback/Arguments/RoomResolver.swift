import ChatModel
import Rendering

/// Finds the room of an argument: `name`, `account/name`, or an id.
struct RoomResolver: Sendable {
    let rooms: [Room]
    /// The data folder, for errors.
    let folder: String

    /// Returns the room of the argument. Prefers, in this order, an exact name, a name that differs in case, a name
    /// without its `#`, and an id.
    func resolve(_ argument: String) throws(CommandError) -> Room {
        let meant = RoomArgument(argument)
        for reading in RoomArgument.Reading.allCases {
            let found = rooms.filter { meant.fits($0, as: reading) }
            if let room = found.first, found.count == 1 { return room }
            if !found.isEmpty { throw ambiguous(argument, found) }
        }
        throw unknown(argument)
    }

    private func ambiguous(_ argument: String, _ found: [Room]) -> CommandError {
        let choices = found.map { Sanitizer.line(name(of: $0)) }.joined(separator: ", ")
        return CommandError(
            .ambiguous, "room \(quoted(argument)) exists in more than one place", hint: "choose one: \(choices)")
    }

    /// Returns `account/name`, or `account/id` if that name means several rooms or can't be printed safely.
    func name(of room: Room) -> String {
        let name = "\(room.account)/\(room.name)"
        let meant = RoomArgument(name)
        let isClear =
            name == Sanitizer.line(name)
            && !RoomArgument.Reading.allCases.contains { reading in
                rooms.contains { $0 != room && meant.fits($0, as: reading) }
            }
        return isClear ? name : "\(room.account)/\(room.id)"
    }

    private func unknown(_ argument: String) -> CommandError {
        let names = rooms.flatMap { [$0.name, "\($0.account)/\($0.name)"] }
        let nearest = Nearest.to(argument, among: names).map { "did you mean \(quoted($0))? " } ?? ""
        let hint =
            rooms.isEmpty
            ? "the archive has no rooms; fill it with: scrollback listen"
            : nearest + "\"scrollback rooms\" lists them"
        return CommandError(
            .unknownRoom, "no room \(quoted(argument)) in data folder \(Sanitizer.line(folder))", hint: hint)
    }

    private func quoted(_ text: String) -> String {
        "\"\(Sanitizer.line(text))\""
    }
}

extension RoomArgument {
    fileprivate func fits(_ room: Room, as reading: Reading) -> Bool {
        fits(account: room.account, name: room.name, id: room.id, as: reading)
    }
}
