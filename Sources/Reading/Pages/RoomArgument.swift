package import ChatModel
import SearchText

/// The name of a room as people type it: `NAME`, `ACCOUNT/NAME`, `WORKSPACE/NAME`, or the room's number instead of its
/// name.
package struct RoomArgument: Sendable, Hashable {
    /// The ways to read an argument, the strictest first. The first one that fits any room counts.
    private enum Reading: CaseIterable {
        /// Equal to the name.
        case exact
        /// Equal in the form of ``fold(_:)``.
        case folded
        /// Equal in that form, without the `#` at the beginning of the room's name.
        case withoutSign
        /// Equal to the room's number.
        case number
        /// Equal to a former name in that form, with its `#` or without.
        case earlier
    }

    /// The argument as it was given.
    package let text: String
    private let folded: String

    package init(_ text: String) {
        self.text = text
        folded = Self.fold(text)
    }

    /// The ends of the argument that may be the name or the number of a room, in the form of ``fold(_:)``: all of it, and what
    /// follows each `/`.
    var ends: [String] {
        let parts = folded.split(separator: "/", omittingEmptySubsequences: false)
        return parts.indices.map { parts[$0...].joined(separator: "/") }
    }

    /// Returns the rooms that the argument names; several if they share the name, none if no room has it. Swift
    /// compares strings by canonical equivalence, so composed and decomposed names are exactly equal.
    ///
    /// An empty room, such as one that was configured without its `#`, does not hide the channel of its name.
    package func rooms(among rooms: [NamedRoom]) -> [NamedRoom] {
        for reading in Reading.allCases {
            let found = rooms.filter { fits($0, as: reading) }
            guard !found.isEmpty else { continue }
            guard found.allSatisfy(\.isEmpty) else { return found }
            let channels = rooms.filter { !$0.isEmpty && fits($0, as: .withoutSign) }
            return channels.isEmpty ? found : channels
        }
        return []
    }

    /// Returns the rooms whose name contains the argument in the form of ``fold(_:)``, by code points. The account or the
    /// workspace may stand before it.
    package func roomsByPart(among rooms: [NamedRoom]) -> [NamedRoom] {
        rooms.filter { room in
            room.written("").contains { place in
                let place = Self.fold(place).unicodeScalars
                let part = folded.unicodeScalars.dropFirst(place.count)
                return folded.unicodeScalars.starts(with: place)
                    && Substring(part).contains { $0.isLetter || $0.isNumber }
                    && Self.fold(room.name).unicodeScalars.contains(part)
            }
        }
    }

    /// Returns the rooms of the workspace that the argument names as `WORKSPACE` or `ACCOUNT/WORKSPACE`. A `/` at the
    /// end is allowed, because a room may have the same name.
    package func roomsOfWorkspace(among rooms: [NamedRoom]) -> [NamedRoom] {
        let name = folded.hasSuffix("/") ? String(folded.dropLast()) : folded
        return rooms.filter { room in
            room.workspace.map { name == Self.fold($0) || name == Self.fold("\(room.account)/\($0)") } ?? false
        }
    }

    /// Returns true if the argument is the account's name in the form of ``fold(_:)``.
    package func isAccount(_ name: String) -> Bool {
        folded == Self.fold(name) || folded == Self.fold(name) + "/"
    }

    private func fits(_ room: NamedRoom, as reading: Reading) -> Bool {
        switch reading {
        case .exact: room.written(room.name).contains(text)
        case .folded: isFolded(room, room.name)
        case .withoutSign: room.name.hasPrefix("#") && isFolded(room, String(room.name.dropFirst()))
        case .number: isFolded(room, String(room.id))
        case .earlier:
            room.earlierNames.contains { name in
                isFolded(room, name) || name.hasPrefix("#") && isFolded(room, String(name.dropFirst()))
            }
        }
    }

    private func isFolded(_ room: NamedRoom, _ name: String) -> Bool {
        room.written(name).contains { folded == Self.fold($0) }
    }

    /// Returns equal texts for names that a search takes for equal (``FoldedName``).
    package static func fold(_ text: String) -> String { FoldedName.fold(text) }
}
