import Archive
import ChatModel
import Foundation

/// A stream of messages without end: a ``SampleChat`` repeated, with new words in each round.
struct SearchMessages: Sendable {
    /// A room with 10,000 of the first million messages, and none after that.
    static let early = "#early"
    /// A room with 10,000 of ten million messages.
    static let rare = "#rare"

    let chat: SampleChat

    struct Message {
        var time: Timestamp
        var room: String
        var nick: String
        var text: String

        func event(_ session: SessionID, remoteID: String? = nil) -> ChatEvent {
            .message(
                IncomingMessage(
                    session: session, room: RoomReference(key: room, name: room, kind: .channel), kind: .message,
                    sender: UserReference(key: nick, name: nick), body: text, remoteID: remoteID, receivedAt: time))
        }

        /// The line in a text log.
        var logLine: String {
            "\(time.description.prefix(19)) \(room) <\(nick)> \(text)\n"
        }
    }

    subscript(number: Int) -> Message {
        // Matches the ratio of English and Korean lines, so that both repeat at about the same time.
        let isKorean = number % 13 == 0
        let lines = isKorean ? chat.korean.count : chat.latin.count
        let place = isKorean ? number / 13 : number - number / 13 - 1
        let text = isKorean ? chat.korean[place % lines] : chat.latin[place % lines].text
        return Message(
            time: Self.time(of: number), room: room(number, isKorean: isKorean),
            nick: chat.latin[place % chat.latin.count].nick,
            text: number % 8 == 0 ? Self.renew(text, round: place / lines) : text)
    }

    /// Returns the time of a message: one every 30 s.
    static func time(of number: Int) -> Timestamp {
        // Adds microseconds, because real times are not on whole seconds. The first message is in 2016.
        Timestamp(microseconds: 1_451_606_400_000_000 + Int64(number) * 30_000_000 + Int64(number) * 7919 % 1_000_000)
    }

    private func room(_ number: Int, isKorean: Bool) -> String {
        if number % 1000 == 500 { return Self.rare }
        if number % 100 == 51, number < 1_000_000 { return Self.early }
        return isKorean ? "#korean" : "#ubuntu"
    }

    /// Adds the round's number to the first word, which makes it a new word.
    private static func renew(_ text: String, round: Int) -> String {
        guard round > 0, let end = text.utf8.firstIndex(of: UInt8(ascii: " ")) else { return text }
        return "\(text[..<end])\(round)\(text[end...])"
    }
}
