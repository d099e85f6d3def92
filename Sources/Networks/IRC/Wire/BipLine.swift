import Bytes

/// A line of the backlog that bip sends after it has listed a room or a conversation.
///
/// bip writes a backlog as messages without tags from `NICK!bip@b.i.p`, which no user of a network has, and ends it with
/// `End of backlog` (bip 0.9.3 of Debian, tried with each `backlog_timestamp`).
package enum BipLine: Sendable, Hashable {
    /// A message of a person. A notice is a message as well.
    case message(BipMessage)
    /// A join, a new topic and the like, as a text of bip.
    case event(at: BipTime)
    case end

    private static let address = Array("!bip@b.i.p")
    private static let lastWords = Array("End of backlog")
    /// The nick of bip itself.
    static let ownNick = Array("-bip")

    /// Reads a line; nil for a line that is not part of a backlog. The end of a conversation's backlog comes from the
    /// partner's nick alone, so the caller must know that the conversation has a backlog.
    ///
    /// - Parameter isConversation: False for a line of a channel.
    package init?(_ message: IRCMessage, isConversation: @autoclosure () -> Bool) {
        guard message.verb == "PRIVMSG", let source = message.source else { return nil }
        let (text, isOfBip) = (message.param(1), Self.isOfBip(source))
        let isAlone = !isOfBip && !source.bytes.contains(Byte.at) && !source.bytes.contains(Byte.bang)
        guard isOfBip || isAlone else { return nil }
        if text == Self.lastWords, isAlone ? !source.isServer : source.nick == Self.ownNick {
            self = .end
        } else if isOfBip, source.nick == Self.ownNick {
            guard let (time, rest) = BipTime.read(text[...]), rest.starts(with: " -!- ".utf8) else { return nil }
            self = .event(at: time)
        } else if isOfBip {
            self = .message(BipMessage(text, isConversation: isConversation()))
        } else {
            return nil
        }
    }

    /// Returns true if bip wrote the line, rather than passed it on.
    static func isOfBip(_ source: IRCSource) -> Bool { source.bytes.suffix(address.count).elementsEqual(address) }
}

/// A message of bip's backlog.
package struct BipMessage: Sendable, Hashable {
    /// True for a message of the account in a conversation, which bip marks with `->`.
    package let isOwn: Bool
    /// True for the message of `/me`.
    package let isAction: Bool
    /// The text, perhaps after a time. Only all lines of a backlog together show whether it has times.
    package let text: [UInt8]

    init(_ text: [UInt8], isConversation: Bool) {
        let action = CTCPMessage(text).flatMap { $0.isAction ? $0.body : nil }
        let marked = action ?? text
        isAction = action != nil
        isOwn = isConversation && marked.starts(with: "->".utf8)
        self.text = isOwn ? Array(marked.dropFirst(2)) : marked
    }

    /// The time at the beginning of the text, and the text after it; nil if the text begins otherwise.
    package var timed: (time: BipTime, text: [UInt8])? {
        guard let (time, rest) = BipTime.read(text[...]), rest.starts(with: "> ".utf8) else { return nil }
        return (time, Array(rest.dropFirst(2)))
    }
}

/// A time in bip's backlog, in the zone of bip's machine.
package struct BipTime: Sendable, Hashable {
    /// Days since 1970-01-01; nil for a time without a date (`backlog_timestamp = "time"`).
    package let day: Int?
    /// Seconds since midnight.
    package let second: Int

    /// Reads a time at the beginning of a text, `08:47:45` or `29-11-2026 08:47:45`, and returns it with the rest.
    static func read(_ text: ArraySlice<UInt8>) -> (time: BipTime, rest: ArraySlice<UInt8>)? {
        if let time = clock(numbers(text, like: "00:00:00")) {
            return (BipTime(day: nil, second: time), text.dropFirst("00:00:00".utf8.count))
        }
        let shape = "00-00-0000 00:00:00"
        guard let numbers = numbers(text, like: shape), let time = clock(Array(numbers[3...])),
            let day = CalendarDate(year: numbers[2], month: numbers[1], day: numbers[0]).daysSince1970
        else { return nil }
        return (BipTime(day: day, second: time), text.dropFirst(shape.utf8.count))
    }

    /// Returns the seconds since midnight.
    private static func clock(_ numbers: [Int]?) -> Int? {
        guard let numbers, numbers[0] < 24, numbers[1] < 60, numbers[2] <= 60 else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
    }

    /// Reads the numbers at the beginning of a text; nil if its bytes differ from a shape in which `0` is any digit.
    private static func numbers(_ text: ArraySlice<UInt8>, like shape: String) -> [Int]? {
        guard text.count >= shape.utf8.count else { return nil }
        var numbers = [0]
        for (byte, pattern) in zip(text, shape.utf8) {
            if pattern == Byte.zero {
                guard Byte.isDigit(byte) else { return nil }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - Byte.zero)
            } else {
                guard byte == pattern else { return nil }
                numbers.append(0)
            }
        }
        return numbers
    }
}
