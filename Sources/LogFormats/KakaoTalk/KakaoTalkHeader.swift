import Bytes

/// A line at the beginning of a KakaoTalk text, before its first record.
enum KakaoTalkHeader {
    /// The title, with the room; nil if it is only the name of the exported file.
    case title(Room?)
    /// The time of the export: `저장한 날짜 : …` or `Date Saved : …`.
    case saved

    struct Room {
        var name: String
        /// True if the title is that of a conversation of two. The titles of Windows are the same for groups.
        var isDirect = false
    }

    /// The longest line that is a title, in bytes. A room's name has at most 50 characters, but the title of a room
    /// without a name lists its members.
    private static let longest = 4096

    /// - Parameter isPhone: True for a line of a text that a phone exported.
    init?(_ line: ArraySlice<UInt8>, isPhone: Bool = false) {
        guard line.count <= Self.longest else { return nil }
        if line.starts(with: "저장한 날짜") || line.starts(with: "Date Saved") {
            guard line.contains(Byte.colon) else { return nil }
            self = .saved
            return
        }
        self.init(title: String(decoding: line.trimmed, as: UTF8.self), isPhone: isPhone)
    }

    /// Reads a title, which may be the name of an exported file.
    init?(title: String, isPhone: Bool = false) {
        let text = Self.withoutPart(title.composed)
        if let left = text.without(suffix: "카카오톡 대화") {
            self = .title(Self.room(korean: left, isPhone: isPhone))
        } else if let left = text.without(suffix: " with KakaoTalk Chats") {
            self = .title(Self.room(english: left))
        } else if let right = text.without(prefix: "KakaoTalk Chats with ") {
            self = .title(Self.room(english: right))
        } else if text.hasPrefix("Talk_"), text != title {
            self = .title(nil)
        } else {
            return nil
        }
    }

    /// Reads `민수 님과`, `민수님과`, `가족 (4명)과`, `가족 16` or `가족`; on phones also `가족 16 님과`. A number at the end
    /// counts the members, except before `님과` on Windows, which does not count them.
    private static func room(korean left: String, isPhone: Bool) -> Room? {
        let left = left.trimmed
        if let name = left.without(suffix: "님과") {
            guard isPhone else { return trimmed(name) }
            let room = uncounted(name)
            return room.map { Room(name: $0.name, isDirect: $0.name == trimmed(name)?.name) }
        }
        if let match = left.wholeMatch(of: /(.+) \([0-9]+명\)과?/) { return trimmed(String(match.1)) }
        return uncounted(left)
    }

    /// Removes the number of members.
    private static func uncounted(_ name: String) -> Room? {
        guard let name = trimmed(name)?.name else { return nil }
        return trimmed(name.wholeMatch(of: /(.+) [0-9]+/).map { String($0.1) } ?? name)
    }

    /// Reads `Minsu`, `Family (4 people)` or `Family (4)`.
    private static func room(english name: String) -> Room? {
        trimmed(name.wholeMatch(of: /(.+) \([0-9]+(?: people)?\)/).map { String($0.1) } ?? name)
    }

    private static func trimmed(_ name: String) -> Room? {
        let room = name.trimmed
        return room.isEmpty ? nil : Room(name: room)
    }

    /// Removes `-2.txt` or `.txt`.
    private static func withoutPart(_ title: String) -> String {
        guard let stem = title.without(suffix: ".txt") else { return title }
        return stem.wholeMatch(of: /(.+)-[0-9]+/).map { String($0.1) } ?? stem
    }

    /// Returns the room in the name of a macOS export, `KakaoTalk_Chat_{room}_2026-04-22-12-40-45.csv`, or of an iPhone's,
    /// `민수님과 카카오톡 대화-2.txt`; nil for another name.
    static func room(ofFile name: String) -> Room? {
        let text = name.composed
        let match = text.wholeMatch(of: /KakaoTalk_Chat_(.+)_[0-9]{4}(?:-[0-9]{2}){5}(?: ?\([0-9]+\))?\.(?:csv|txt)/)
        if let match { return Room(name: String(match.1)) }
        guard case .title(let room?)? = KakaoTalkHeader(title: text, isPhone: true), text.hasSuffix(".txt") else {
            return nil
        }
        return room
    }
}

extension String {
    fileprivate func without(suffix: String) -> String? { hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil }
    fileprivate func without(prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}
