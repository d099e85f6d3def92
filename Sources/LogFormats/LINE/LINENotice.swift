import Bytes
import ChatModel

/// A sentence of LINE about the room: `花子が退出しました。`, `小明加入聊天`, `Hanako unsent a message.`
struct LINENotice {
    enum Event {
        case join, leave, kick, invite, unsent
    }

    let event: Event
    /// The name of the person who acts.
    let sender: ArraySlice<UInt8>
    /// The name of the invited or removed person; nil if there is none.
    var person: ArraySlice<UInt8>?

    /// The words around the names: after the first name, and after the second. The longest are first, because some
    /// contain others.
    private static let sentences = unsorted.sorted {
        $0.middle.utf8.count + $0.end.utf8.count > $1.middle.utf8.count + $1.end.utf8.count
    }

    private static let unsorted: [(Event, middle: String, end: String)] = [
        (.unsent, "がメッセージの送信を取り消しました", ""), (.unsent, "已收回訊息", ""), (.unsent, "已收回消息", ""), (.unsent, "已撤回消息", ""),
        (.unsent, "撤回了一条消息", ""), (.unsent, " ยกเลิกข้อความแล้ว", ""), (.unsent, " unsent a message", ""),
        (.unsent, "님이 메시지 전송을 취소했습니다", ""), (.unsent, "님이 메시지를 전송 취소했습니다", ""),
        (.invite, "が", "をグループに追加しました"), (.invite, "が", "をグループに招待しました"), (.invite, "が", "を招待しました"),
        (.kick, "が", "をグループから退会させました"), (.kick, "が", "を退会させました"), (.kick, "が", "をグループから削除しました"),
        (.join, "がグループに参加しました", ""), (.join, "がトークに参加しました", ""), (.join, "が参加しました", ""),
        (.leave, "がグループを退会しました", ""), (.leave, "がトークから退出しました", ""), (.leave, "が退会しました", ""), (.leave, "が退出しました", ""),
        (.invite, "邀請", "加入"), (.invite, "邀请", "加入"), (.join, "加入聊天", ""), (.join, "加入群組", ""), (.join, "已加入群組", ""),
        (.join, "已加入聊天", ""), (.invite, "已邀請", "加入"), (.leave, "已離開聊天", ""), (.leave, "已退出群組", ""),
        (.leave, "離開聊天", ""), (.leave, "离开聊天", ""), (.leave, "已離開群組", ""), (.leave, "退出群組", ""),
        (.invite, "已新增", "至群組"), (.invite, "已将", "添加至群"), (.join, "已加入该群", ""), (.leave, "已退群", ""),
        (.invite, " เพิ่ม ", " เข้ากลุ่ม"),
        (.invite, " added ", " to the group"), (.invite, " invited ", " to the group"),
        (.invite, " invited ", " to the chat"),
        (.kick, " removed ", " from the group"), (.join, " joined the chat", ""), (.join, " joined the group", ""),
        (.leave, " left the chat", ""), (.leave, " left the group", ""),
        (.invite, "님이 ", "님을 그룹에 초대했습니다"), (.invite, "님이 ", "님을 초대했습니다"), (.kick, "님이 ", "님을 내보냈습니다"),
        (.join, "님이 그룹에 참가했습니다", ""), (.join, "님이 참가했습니다", ""), (.join, "님이 들어왔습니다", ""),
        (.leave, "님이 그룹에서 나갔습니다", ""), (.leave, "님이 나갔습니다", ""),
    ]
    /// The sentences without a name that stand for the text of an unsent message.
    private static let unsent = ["メッセージの送信を取り消しました", "已收回訊息", "unsent a message", "Message unsent", "ยกเลิกข้อความแล้ว"]

    init?(_ line: ArraySlice<UInt8>) {
        let line = Self.withoutStop(Self.withoutIsolates(line).trimmed)
        for (event, middle, end) in Self.sentences
        where line.suffix((end.isEmpty ? middle : end).utf8.count)
            .elementsEqual((end.isEmpty ? middle : end).utf8)
        {
            let names = end.isEmpty ? line : line.dropLast(end.utf8.count)
            guard let (sender, person) = names.parted(by: middle), !sender.trimmed.isEmpty else { continue }
            // If a name contains the words, the end of the name is unknown.
            guard end.isEmpty == person.trimmed.isEmpty, person.range(of: middle) == nil else { continue }
            (self.event, self.sender, self.person) = (event, sender.trimmed, end.isEmpty ? nil : person.trimmed)
            return
        }
        return nil
    }

    /// Returns true if a sender's text says only that they unsent the message.
    static func isUnsent(_ text: ArraySlice<UInt8>) -> Bool {
        unsent.contains { withoutStop(text).elementsEqual($0.utf8) }
    }

    /// Returns the text without the marks (U+2066 to U+2069) that LINE in Chinese puts around names in its sentences.
    static func withoutIsolates(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.range(of: "\u{2069}") != nil else { return text }
        var (kept, rest): ([UInt8], ArraySlice<UInt8>) = ([], text)
        while let byte = rest.first {
            let isMark =
                byte == 0xE2 && rest.dropFirst().first == 0x81 && (0xA6...0xA9).contains(rest.dropFirst(2).first ?? 0)
            if !isMark { kept.append(byte) }
            rest = rest.dropFirst(isMark ? 3 : 1)
        }
        return kept[...]
    }

    private static func withoutStop(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if line.last == Byte.dot { return line.dropLast() }
        return line.suffix(3).elementsEqual("。".utf8) ? line.dropLast(3) : line
    }
}
