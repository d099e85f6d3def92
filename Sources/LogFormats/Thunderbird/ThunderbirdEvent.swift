import ChatModel

/// An event in the words of Thunderbird's chat, in English and Korean (`irc.ftl`, `xmpp.ftl` and `conversations.ftl` of 153). Only
/// the program can have written it, because messages of people have another flag.
struct ThunderbirdEvent {
    let kind: MessageKind
    let sender: String?
    let body: String?

    /// - Parameter hasSpaces: True if names may have spaces.
    /// - Returns: Nil for another text.
    init?(_ text: String, hasSpaces: Bool) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        for (kind, sentence) in Self.sentences {
            guard let found = Self.fields(of: sentence, in: text[...]),
                [found["who"], found["whom"]].allSatisfy({ name in
                    name.map { !$0.isEmpty && !$0.contains("\n") && (hasSpaces || !$0.contains(" ")) } ?? true
                })
            else { continue }
            self.kind = kind
            sender = found["who"].map(String.init)
            let words = found["words"].map(String.init)
            body =
                switch kind {
                case .kick: [found["whom"].map(String.init), words].compactMap(\.self).joined(separator: ": ")
                case .mode: [words, found["whom"].map(String.init)].compactMap(\.self).joined(separator: " ")
                case .topic: words ?? ""
                default: words
                }
            return
        }
        return nil
    }

    /// 16 KiB: a line of IRC has at most half of it (IRCv3 message-tags).
    private static let maximumLength = 16 * 1024

    /// The words of an event, and the names of its fields in braces. The first sentence that fits counts, so the topics, whose
    /// words may look like another sentence, come first.
    private static let sentences: [(MessageKind, String)] = [
        (.topic, "{who} has changed the topic to: {words}."), (.topic, "{who} has cleared the topic."),
        (.topic, "{who}이 주제를 변경했습니다: {words}."), (.topic, "{who}이 주제를 삭제했습니다."),
        (.join, "{who} [{address}] entered the room."), (.join, "{who} entered the room."),
        (.leave, "{who} has left the room (Part: {words})."), (.leave, "{who} has left the room (Part)."),
        (.leave, "{who} has left the room (Quit: {words})."), (.leave, "{who} has left the room (Quit)."),
        (.leave, "{who} has left the room: {words}"), (.leave, "{who} has left the room."),
        (.kick, "{whom} has been kicked by {who}: {words}."), (.kick, "{whom} has been kicked by {who}."),
        (.kick, "{who} has kicked {whom} from the room: {words}"), (.kick, "{who} has kicked {whom} from the room."),
        (.kick, "{who} has banned {whom} from the room: {words}"), (.kick, "{who} has banned {whom} from the room."),
        (.kick, "{whom} has been kicked from the room: {words}"), (.kick, "{whom} has been kicked from the room."),
        (.kick, "{whom} has been banned from the room: {words}"), (.kick, "{whom} has been banned from the room."),
        (.rename, "{who} is now known as {words}."),
        (.mode, "Mode {words} for {whom} set by {who}."), (.mode, "Channel mode {words} set by {who}."),
        (.join, "{who} [{address}]님이 입실했습니다."), (.join, "{who} 님이 방에 들어왔습니다."),
        (.leave, "{who}님이 퇴장했습니다. (이탈 : {words})"), (.leave, "{who}님이 퇴장했습니다. (이탈 )"),
        (.leave, "{who}님이 퇴장했습니다. (종료 : {words})"), (.leave, "{who}님이 퇴장했습니다. (종료 )"),
        (.leave, "{who} 님이 방을 떠났습니다."), (.leave, "{who} 님이 방 {words}을(를) 떠났습니다."),
        (.kick, "{who}님이 {whom}를 : {words} 사유로 강퇴하였습니다."), (.kick, "{who}님이 {whom}를  사유로 강퇴하였습니다."),
        (.kick, "{who} 님이 {whom} 님을 방에서 쫓아냈습니다: {words}"), (.kick, "{who} 님이 {whom} 님을 방에서 쫓아냈습니다."),
        (.kick, "{whom} 님은 방에서 쫓겨났습니다: {words}"), (.kick, "{whom} 님은 방에서 쫓겨났습니다."),
        (.rename, "{who}님의 닉네임이 {words} 로 변경되었습니다."),
        (.mode, "{who}님이 {whom}님의 모드를 {words}로 변경했습니다."), (.mode, "{who}님이 채널 모드를 {words}로 변경했습니다."),
    ]

    /// Returns the fields of a sentence; nil if the text is not this sentence. Every sentence has a field.
    private static func fields(of sentence: String, in text: Substring) -> [Substring: Substring]? {
        let parts = sentence.split(separator: "{", omittingEmptySubsequences: false)
        guard let first = parts.first, text.hasPrefix(first) else { return nil }
        var (fields, rest): ([Substring: Substring], Substring) = ([:], text.dropFirst(first.count))
        for (index, part) in parts.enumerated().dropFirst() {
            let pieces = part.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
            guard pieces.count == 2, case let (field, words) = (pieces[0], pieces[1]) else { return nil }
            guard index < parts.count - 1 else {
                guard rest.hasSuffix(words) else { return nil }
                fields[field] = rest.dropLast(words.count)
                return fields
            }
            guard let range = rest.firstRange(of: words) else { return nil }
            fields[field] = rest[..<range.lowerBound]
            rest = rest[range.upperBound...]
        }
        return nil
    }
}
