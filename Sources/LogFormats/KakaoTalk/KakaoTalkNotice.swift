import Bytes
import ChatModel

/// A sentence of KakaoTalk about the room: `민수님이 나갔습니다.`, `민수 invited 지아.`
struct KakaoTalkNotice {
    let kind: MessageKind
    /// The name of the person who acts; nil if the sentence does not name one.
    var sender: ArraySlice<UInt8>?
    /// The names of the invited or removed people, or the words after the sentence; the whole sentence for `system`.
    var body: [UInt8]?
    /// True for an English sentence that people also write themselves: `He left.`
    var isCommon = false
    /// True for a sentence about a person that does not name who acts: `지아 has been removed from this chatroom.`
    var isOfAnother = false

    /// - Parameter line: A line without a time or a sender.
    init?(_ line: ArraySlice<UInt8>) {
        let line = line.trimmed
        guard let found = Self.korean(line) ?? Self.english(line) else { return nil }
        guard found.sender.map({ (1...KakaoTalkRecord.longestName).contains($0.count) }) ?? true else { return nil }
        self = found
    }

    private init(
        _ kind: MessageKind, by sender: ArraySlice<UInt8>?, body: [UInt8]? = nil, isCommon: Bool = false
    ) {
        (self.kind, self.sender, self.isCommon) = (kind, sender?.trimmed, isCommon)
        self.body = body.flatMap { $0.isEmpty ? nil : $0 }
    }

    // MARK: - Korean

    private static func korean(_ line: ArraySlice<UInt8>) -> KakaoTalkNotice? {
        // A warning follows without a space. In a message, people put a space between sentences.
        if let (name, words) = line.parted(by: "님이 들어왔습니다."), words.first != Byte.space {
            return KakaoTalkNotice(.join, by: name, body: Array(words))
        }
        guard line.hasSuffix("습니다.") else { return nil }
        if let name = line.without(suffix: "님이 나갔습니다.") { return KakaoTalkNotice(.leave, by: name) }
        if let left = line.without(suffix: "님을 초대했습니다.") ?? line.without(suffix: "님을 초대하였습니다.") {
            return people(.invite, left)
        }
        if let left = line.without(suffix: "님을 내보냈습니다.") { return people(.kick, left) }
        return others.contains { line.hasSuffix($0) } ? KakaoTalkNotice(.system, by: nil, body: Array(line)) : nil
    }

    /// Reads `민수님이 지아님과 하나` or `지아`.
    private static func people(_ kind: MessageKind, _ left: ArraySlice<UInt8>) -> KakaoTalkNotice {
        let (sender, names) = left.parted(by: "님이 ").map { ($0.left as ArraySlice<UInt8>?, $0.right) } ?? (nil, left)
        return KakaoTalkNotice(kind, by: sender, body: list(names, ["님과 ", "님, "]))
    }

    /// The ends of sentences that don't change the members of the room.
    private static let others = [
        "채팅방 관리자가 메시지를 가렸습니다.", "님이 방장이 되었습니다.", "님이 부방장이 되었습니다.", "방장으로 지정되었습니다.",
        "채팅방을 개설했습니다.",
    ]

    // MARK: - English

    private static func english(_ line: ArraySlice<UInt8>) -> KakaoTalkNotice? {
        guard line.last == Byte.dot else { return nil }
        if let name = line.without(suffix: " joined this chatroom.") { return KakaoTalkNotice(.join, by: name) }
        if let name = line.without(suffix: " left this chatroom.") { return KakaoTalkNotice(.leave, by: name) }
        if let name = line.without(suffix: " has been removed from this chatroom.") {
            var notice = KakaoTalkNotice(.kick, by: nil, body: Array(name.trimmed))
            notice.isOfAnother = true
            return notice
        }
        if englishOthers.contains(where: { line.hasSuffix($0) }) {
            return KakaoTalkNotice(.system, by: nil, body: Array(line))
        }
        if let name = line.without(suffix: " left.") { return KakaoTalkNotice(.leave, by: name, isCommon: true) }
        guard let (name, names) = line.dropLast().parted(by: " invited ") else { return nil }
        return KakaoTalkNotice(.invite, by: name, body: list(names, [" and "]), isCommon: true)
    }

    private static let englishOthers = [
        "This message has been hidden by the chatroom managers.", " has been assigned as the admin.",
    ]

    /// Separates names by commas.
    private static func list(_ names: ArraySlice<UInt8>, _ words: [String]) -> [UInt8] {
        // If the last person has no name, macOS writes `민수 invited 지아 and.`
        var rest = names.without(suffix: " and") ?? names
        var list: [UInt8] = []
        while let next = words.compactMap({ rest.range(of: $0) }).min(by: { $0.lowerBound < $1.lowerBound }) {
            list += rest[..<next.lowerBound] + ", ".utf8
            rest = rest[next.upperBound...]
        }
        return list + rest.trimmed
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }

    fileprivate func without(suffix text: String) -> ArraySlice<UInt8>? {
        hasSuffix(text) ? dropLast(text.utf8.count) : nil
    }
}
