import ChatModel
import IRCWire

/// A line of a session.
struct IRCEvent: Sendable {
    let message: IRCMessage
    /// The bytes of the line; nil if there are none.
    let raw: [UInt8]?
    /// The room to whose history the line belongs; nil for a live line.
    let replayOf: [UInt8]?

    /// The msgid.
    var remoteID: [UInt8]? {
        message.tag("msgid").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The time by the server's clock.
    var sourceTime: Timestamp? {
        message.tag("time").flatMap(ServerTime.microseconds).map { Timestamp(microseconds: $0) }
    }
}

extension IRCMessage {
    /// Returns a parameter; nil if it is missing or empty.
    func text(_ index: Int) -> [UInt8]? {
        param(index).isEmpty ? nil : param(index)
    }

    /// The kind and the text of a row about a user's move: of a JOIN, PART, QUIT, KICK, NICK or RENAME.
    var move: (kind: MessageKind, body: [UInt8]?) {
        switch verb {
        case "JOIN": (.join, nil)
        case "PART": (.leave, text(1))
        case "QUIT": (.leave, text(0))
        case "KICK": (.kick, param(1) + (text(2).map { Array(": ".utf8) + $0 } ?? []))
        case "NICK": (.rename, param(0))
        // A RENAME is stored under the old name.
        default: (.system, param(1))
        }
    }
}
