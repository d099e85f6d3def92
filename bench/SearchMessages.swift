import Archive
import ChatModel
import Foundation

/// A stream of messages without end, made of a ``SampleChat`` over and over, in which new words keep coming up.
struct SearchMessages: Sendable {
    /// 10,000 of the first million messages are here, and none afterwards.
    static let early = "#early"
    /// 10,000 of ten million messages are here.
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

        /// As people keep logs.
        var logLine: String {
            "\(time.description.prefix(19)) \(room) <\(nick)> \(text)\n"
        }
    }

    subscript(number: Int) -> Message {
        // As many as there are of either, so that both come round at about the same time.
        let isKorean = number % 13 == 0
        let lines = isKorean ? chat.korean.count : chat.latin.count
        let place = isKorean ? number / 13 : number - number / 13 - 1
        let text = isKorean ? chat.korean[place % lines] : chat.latin[place % lines].text
        return Message(
            time: Self.time(of: number), room: room(number, isKorean: isKorean),
            nick: chat.latin[place % chat.latin.count].nick,
            text: number % 8 == 0 ? Self.renew(text, round: place / lines) : text)
    }

    /// Every 30 s.
    static func time(of number: Int) -> Timestamp {
        // Not on the second, as nothing is; the first is of 2016.
        Timestamp(microseconds: 1_451_606_400_000_000 + Int64(number) * 30_000_000 + Int64(number) * 7919 % 1_000_000)
    }

    private func room(_ number: Int, isKorean: Bool) -> String {
        if number % 1000 == 500 { return Self.rare }
        if number % 100 == 51, number < 1_000_000 { return Self.early }
        return isKorean ? "#korean" : "#ubuntu"
    }

    /// The first word gets the round's number, which makes it a word of its own.
    private static func renew(_ text: String, round: Int) -> String {
        guard round > 0, let end = text.utf8.firstIndex(of: UInt8(ascii: " ")) else { return text }
        return "\(text[..<end])\(round)\(text[end...])"
    }
}
