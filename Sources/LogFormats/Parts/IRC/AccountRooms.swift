import Bytes

/// The rooms that an account has, by which a log is assigned to its room if the log's program had to alter the room's
/// name for the name of a file: `#mix_ed.log` is the log of `#Mix/ed`.
package struct AccountRooms: Sendable {
    /// All names, each in lower case.
    private var folded: Set<String> = []
    private var names: [String] = []
    /// The format whose program wrote the name of the file; nil until ``written(by:)``.
    private var format: (any LogFormat.Type)?

    /// The limit of rooms, each of which is compared with the names of new files.
    private static let capacity = 10_000

    package init(_ names: some Sequence<String> = []) {
        for name in names { insert(name) }
    }

    package mutating func insert(_ name: String) {
        guard names.count < Self.capacity, folded.insert(name.lowercased()).inserted else { return }
        names.append(name)
    }

    /// Returns the same rooms, for files of a format.
    package func written(by format: any LogFormat.Type) -> AccountRooms {
        var rooms = self
        rooms.format = format
        return rooms
    }

    /// Returns the only room whose name the format's program alters to the name in a file's name, ignoring case. Returns
    /// nil if the account has a room of exactly this name, or several such rooms.
    func room(inFileName name: String) -> String? {
        let wanted = name.lowercased()
        guard let format, !folded.contains(wanted) else { return nil }
        let found = names.lazy.filter { room in
            format.namesInFiles(of: room).contains { $0.lowercased() == wanted }
        }.prefix(2)
        return found.count == 1 ? found.first : nil
    }
}

extension String {
    /// Returns the string with other text in place of each of some characters.
    func replacingEach(of marks: String, with text: String) -> String {
        reduce(into: "") { result, character in
            result += marks.contains(character) ? text : String(character)
        }
    }
}
