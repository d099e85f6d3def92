import ChatModel
import LogFormats

/// Gives each message of a source the form that its room's name has in the file's name.
struct RoomNaming {
    /// The rooms of the account, with those of the source.
    private(set) var rooms: AccountRooms
    private var last: String?
    /// The other form of the last room's name in the file's name; nil if there is none.
    private var inFile: String?

    init(_ rooms: AccountRooms) {
        self.rooms = rooms
    }

    /// - Parameter path: The path of the message's file; empty for a pipe.
    mutating func mark(_ message: inout ImportedMessage, format: any LogFormat.Type, path: String) {
        if message.room != last {
            last = message.room
            rooms.insert(message.room)
            inFile = format.alteredName(of: message.room, in: path)
        }
        message.roomInFile = inFile
    }
}
