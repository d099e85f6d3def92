import ChatModel
import Reading
import Rendering

/// The words that a shell offers for rooms. Each word means one room only.
struct RoomCompletion: Sendable {
    let rooms: [NamedRoom]
    /// The characters that no offered name may contain in this shell. A room with such a name is offered by its id.
    var refused = ""

    /// The characters at which bash ends a word (`COMP_WORDBREAKS`), and those that bash interprets although readline
    /// leaves them unquoted.
    static let refusedByBash = "$`()<>|&;:=@!\"\\"

    /// Returns names without `#`, so that no shell needs quotes, unless the typed word has a `#`. Adds the account, and
    /// the workspace where it is needed, if they were typed, or if the name alone means several rooms. Omits names that
    /// a terminal would interpret or a command would take for an option.
    func candidates(for typed: String) -> [String] {
        let meanings = meanings
        return rooms.flatMap { room -> [String] in
            let name = typed.contains("#") || !room.name.hasPrefix("#") ? room.name : String(room.name.dropFirst())
            let longs = room.written(name).filter { $0.hasPrefix("\(room.account)/") && $0 != name }
            let isShort = isClear(name, meanings)
            let isLong = !isShort || typed.contains("/") || (!typed.isEmpty && room.account.hasPrefix(typed))
            return [
                isShort && !typed.contains("/") ? name : nil,
                isLong ? longs.first { isClear($0, meanings) } ?? "\(room.account)/\(room.id)" : nil,
            ].compactMap(\.self)
        }.filter(isSafe)
    }

    private func isClear(_ name: String, _ meanings: [String: Int]) -> Bool {
        meanings[RoomArgument.fold(name)] == 1 && isSafe(name)
    }

    private func isSafe(_ name: String) -> Bool {
        !name.isEmpty && name == Sanitizer.line(name) && !name.hasPrefix("-")
            && !name.unicodeScalars.contains { refused.unicodeScalars.contains($0) }
    }

    /// The number of rooms that ``RoomResolver`` finds for each word.
    private var meanings: [String: Int] {
        var rooms: [String: Set<Int>] = [:]
        for (index, room) in self.rooms.enumerated() {
            for name in [room.name, room.name.hasPrefix("#") ? String(room.name.dropFirst()) : nil, String(room.id)] {
                guard let name else { continue }
                for written in room.written(name) { rooms[RoomArgument.fold(written), default: []].insert(index) }
            }
        }
        return rooms.mapValues(\.count)
    }
}
