import Bytes
import ChatModel

/// HexChat's events in Korean (`hexchat.mo` of 2.16.1), without their colours: `alice님의 대화명은 이제 bob 입니다`.
///
/// Letters follow the name without a space. In an action, a space follows it, so nobody can write such a line with
/// `/me`; only a join or a leave with an address can be imitated, as in English.
enum HexChatKorean {
    /// Returns nil for another text.
    static func event(_ text: ArraySlice<UInt8>) -> IRCLine? {
        let text = text.trimmed
        if let (who, rest) = text.parted(by: ")님이 "), let (name, mask) = who.parted(by: " ("), mask.contains(Byte.at) {
            return IRCLine.nick(name).flatMap { movement(rest, $0) }
        }
        guard let (who, rest) = text.parted(by: "님"), !who.contains(Byte.space), let name = IRCLine.nick(who) else {
            return nil
        }
        if let quit = rest.after("이 끝내셨습니다") { return IRCLine(.leave, name, LogText(reason(quit))) }
        if let new = rest.after("의 대화명은 이제 ")?.unwrapped("", " 입니다") {
            return IRCLine.nick(new).map { IRCLine(.rename, name, $0) }
        }
        if let (_, kicked) = rest.after("께서 ")?.parted(by: "에서 "), let (victim, why) = kicked.parted(by: "님을 추방했습니다") {
            return IRCLine.nick(victim).map { IRCLine.kick($0, name, reason(why)) }
        }
        if let topic = rest.after("이 주제를 "), let end = topic.lastRange(of: "(으)로 바꿨습니다.") {
            return IRCLine(.topic, name, LogText(topic[..<end.lowerBound]))
        }
        return rest.after("이 ").flatMap(mode).map { IRCLine(.mode, name, LogText($0[...])) }
    }

    /// Returns the channel of `현재 #example에서 대화중입니다`.
    static func joinedChannel(_ line: ArraySlice<UInt8>) -> String? {
        guard let (_, rest) = line.parted(by: "현재 "), let (room, _) = rest.parted(by: "에서 대화중입니다") else { return nil }
        return room.isChannelName ? LogText(room).string : nil
    }

    private static func movement(_ event: ArraySlice<UInt8>, _ name: LogText) -> IRCLine? {
        if event.elementsEqual("입장하였습니다".utf8) { return IRCLine(.join, name) }
        return event.after("나갔습니다").map { IRCLine(.leave, name, LogText(reason($0))) }
    }

    private static func reason(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> { text.unwrapped("(", ")") }

    /// The words around a mode's target, and the mode's letters.
    private static let modes = [
        ("", "님께 대화방 관리 권한을 부여했습니다.", "+o"), ("", "님의 대화방 운영자 권한을 박탈했습니다", "-o"),
        ("", "님의 대화방 제한된 관리 권한을 박탈했습니다", "-h"), ("", "님께 발언권을 부여했습니다.", "+v"),
        ("", "님의 발언권을 박탈했습니다", "-v"), ("", "에 입장 금지했습니다.", "+b"), ("", "님의 강제 퇴장을 해제했습니다.", "-b"),
        ("", "의 발언권 박탈 대상 조건을 설정했습니다", "+q"), ("", "의 발언권 박탈 대상 조건을 해제했습니다", "-q"),
        ("대화방 제한을 ", "(으)로 설정했습니다", "+l"), ("대화방 암호를 ", "(으)로 지정했습니다", "+k"),
        ("사용자 제한을 제거했습니다", "", "-l"), ("대화방 암호를 제거했습니다", "", "-k"),
    ]

    /// Returns `+oo bob carol` for `bob carol님께 대화방 관리 권한을 부여했습니다.`, and `+t` for `#example의 모드를 +t(으)로 설정했습니다`.
    private static func mode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        if let (room, mode) = text.parted(by: "의 모드를 "), room.isChannelName {
            return Array(mode.unwrapped("", "(으)로 설정했습니다"))
        }
        for (before, after, letter) in modes {
            guard let rest = text.after(before), rest.suffix(after.utf8.count).elementsEqual(after.utf8) else {
                continue
            }
            let targets = rest.dropLast(after.utf8.count).split(separator: Byte.space)
            guard targets.isEmpty == after.isEmpty else { continue }
            let letters =
                targets.isEmpty
                ? Array(letter.utf8) : [letter.utf8.first ?? 0] + targets.flatMap { _ in letter.utf8.dropFirst() }
            return letters + targets.flatMap { [Byte.space] + $0 }
        }
        return nil
    }
}
