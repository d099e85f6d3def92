import ChatModel
import Rendering

/// The ways to write each room that a shell offers, each of which means that room alone.
struct RoomCompletion: Sendable {
    let rooms: [Room]
    /// What no name may have in this shell; such a room is offered by its id.
    var refused = ""

    /// Where bash ends a word (`COMP_WORDBREAKS`), and what readline leaves unquoted though bash acts upon it.
    static let refusedByBash = "$`()<>|&;:=@!\"\\"

    /// Names without `#`, which no shell needs quotes for, unless one was typed; with their account where it was begun
    /// or the name alone would mean several rooms. What a terminal would act upon, or a command take for an option, is
    /// not offered.
    func candidates(for typed: String) -> [String] {
        let meanings = meanings
        return rooms.flatMap { room -> [String] in
            let name = typed.contains("#") || !room.name.hasPrefix("#") ? room.name : String(room.name.dropFirst())
            let long = "\(room.account)/\(name)"
            let isShort = isClear(name, meanings)
            let isLong = !isShort || typed.contains("/") || (!typed.isEmpty && room.account.hasPrefix(typed))
            return [
                isShort && !typed.contains("/") ? name : nil,
                isLong ? (isClear(long, meanings) ? long : "\(room.account)/\(room.id)") : nil,
            ].compactMap(\.self)
        }.filter(isSafe)
    }

    private func isClear(_ name: String, _ meanings: [String: Int]) -> Bool {
        meanings[Self.fold(name)] == 1 && isSafe(name)
    }

    private func isSafe(_ name: String) -> Bool {
        !name.isEmpty && name == Sanitizer.line(name) && !name.hasPrefix("-")
            && !name.unicodeScalars.contains { refused.unicodeScalars.contains($0) }
    }

    /// How many rooms a word may mean, as ``RoomResolver`` looks for them.
    private var meanings: [String: Int] {
        var rooms: [String: Set<Int>] = [:]
        for (index, room) in self.rooms.enumerated() {
            for name in [room.name, room.name.hasPrefix("#") ? String(room.name.dropFirst()) : nil, String(room.id)] {
                guard let name else { continue }
                rooms[Self.fold(name), default: []].insert(index)
                rooms[Self.fold("\(room.account)/\(name)"), default: []].insert(index)
            }
        }
        return rooms.mapValues(\.count)
    }

    private static func fold(_ name: String) -> String {
        RoomArgument.fold(name)
    }
}
