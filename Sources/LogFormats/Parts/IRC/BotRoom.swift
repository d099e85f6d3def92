import Bytes
import ChatModel

/// The room of a bot's log, which its lines, its name or its folder give.
struct BotRoom {
    let room: IRCLog.Room
    /// The room, if it stands before a date in the file's name; nil otherwise.
    let beforeDate: String?

    init?(_ source: LogSource) {
        if let room = source.room {
            (self.room, beforeDate) = (IRCLog.Room(name: room), nil)
            return
        }
        let joined = IRCLog.rooms(in: source.beginning, brackets: .none)
        if let named = NamedRoom(in: source, joined: joined, room: RoomName.inStem)
            // Some bots leave out the room's mark.
            ?? NamedRoom(in: source, joined: joined, room: RoomName.person),
            named.isJoined || RoomName.isChannel(named.name)
        {
            (room, beforeDate) = (IRCLog.Room(name: named.name), named.nameBeforeDate)
            return
        }
        let stem = RoomName.person(RoomName.stem(of: source.name))
        guard let name = RoomName.inFolders(source.folders) ?? joined.first(where: RoomName.isChannel) ?? stem else {
            return nil
        }
        let isPerson = joined.isEmpty && Self.speaks(name, in: source.beginning)
        (room, beforeDate) = (IRCLog.Room(name: name, isDirect: isPerson), nil)
    }

    /// Returns true if a person of that name writes a message.
    private static func speaks(_ name: String, in beginning: [UInt8]) -> Bool {
        IRCLog.eachLine(of: beginning).contains { line in
            var line = line
            guard LineStamp(taking: &line, brackets: .none) != nil else { return false }
            return line.drop { $0 == Byte.space }.starts(with: "<\(name)> ")
        }
    }
}

/// The times of some bots: `2026-11-21T06:23:11`, with or without a zone, and two spaces.
enum BotStamp {
    /// Returns true if all first lines have such a time.
    static func begins(_ source: LogSource, hasOffset: Bool) -> Bool {
        let lines = IRCLog.lines(of: source.beginning, first: 20)
        return !lines.isEmpty
            && lines.allSatisfy { line in
                var rest = line
                guard line.dropFirst(10).first == UInt8(ascii: "T"),
                    let stamp = LineStamp(taking: &rest, brackets: .none),
                    stamp.date != nil, (stamp.offset != nil) == hasOffset, stamp.resolution == .second,
                    rest.first == Byte.space
                else { return false }
                return IRCLine(rest, isTimed: false) != nil
            }
    }
}
