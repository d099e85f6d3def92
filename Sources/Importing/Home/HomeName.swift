import Bytes

/// What a file's name says about the file, for a search that can't open every file of a home.
enum HomeName {
    /// Names that logs and exports of chat programs have.
    case likely
    /// Names that many files have, such as `notes.txt`.
    case possible
    /// Names of files that are not opened: those of other kinds, and of secrets.
    case other

    /// - Parameters:
    ///   - name: The file's name, without its folders.
    ///   - folder: The path of its folder below the home.
    init(_ name: String, in folder: String) {
        guard Self.mayBeLog(name.utf8) else {
            self = .other
            return
        }
        let name = name.lowercased()
        let stem = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
        let ending = stem.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last.map(String.init)
        let isChannel = name.hasPrefix("#") || name.has(".#") || name.has("_#")
        guard isChannel || !Self.secrets.contains(where: name.has) else {
            self = .other
            return
        }
        if isChannel || Self.names.contains(stem) || Self.parts.contains(where: name.has) {
            self = .likely
        } else if let ending, Self.endings.contains(ending) {
            let isOfLogs = Self.folders.contains(where: folder.lowercased().has)
            self = isOfLogs || (ending != "json" && Self.hasDay(stem)) ? .likely : .possible
        } else {
            self = .other
        }
    }

    /// Returns false for names of most other files. A home has hundreds of thousands, so this compares bytes.
    private static func mayBeLog(_ name: String.UTF8View) -> Bool {
        if name.contains(UInt8(ascii: "#")) { return true }
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return name.elementsEqual("out".utf8) }
        let ending = name[dot...].dropFirst()
        if ending.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        return ending.count <= longestEnding && candidates.contains(String(Substring(ending)).lowercased())
    }

    private static let candidates = endings.union(["gz", "zip", "csv"])
    private static let longestEnding = 10

    /// The endings of files that a format may have, without ZIP archives, which have a name of their program.
    private static let endings: Set = [
        "log", "txt", "weechatlog", "json", "jsonl", "html", "htm", "xml", "db", "sqlite", "sqlite3", "history",
    ]

    /// Whole names of exports and databases, in small letters.
    private static let names: Set = [
        "result.json", "messages.html", "message_1.json", "main.jsonl", "_chat.txt", "slackdump.sqlite",
        "quassel-storage.sqlite", "logs.db", "dino.db", "chatlog.db", "chat.db", "out",
    ]

    /// Parts of the names of exports, in small letters.
    private static let parts = [
        ".weechatlog", "whatsapp", "kakaotalk", "[line]", "chatexport", "signal-export", "discord", "slack-export",
        "slack export", "talk_20", "facebook-", "instagram-", "카카오톡",
        // The same, decomposed as macOS has it.
        "\u{110F}\u{1161}\u{110F}\u{1161}\u{110B}\u{1169}\u{1110}\u{1169}\u{11A8}",
    ]

    /// Parts of the paths of folders in which people keep logs.
    private static let folders = ["irc/", "irclog", "chat"]

    /// Parts of names of files that may have a secret. No file of such a name is opened.
    private static let secrets = [
        "password", "passwd", "passphrase", "secret", "credential", "token", "private", "wallet", "recovery",
        "keychain",
        "id_rsa", "id_ed25519",
    ]

    /// True for a name with a day, such as `2026-11-21`, `2026_11_21` or `20261121`.
    private static func hasDay(_ name: String) -> Bool {
        var digits = 0
        for byte in name.utf8 {
            switch byte {
            case 0x30...0x39:
                digits += 1
                if digits == 8 { return true }
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                if digits != 4, digits != 6 { digits = 0 }
            default: digits = 0
            }
        }
        return false
    }
}

extension String {
    /// Returns true if the bytes of a part occur. `contains` compares characters, which took two thirds of a search.
    fileprivate func has(_ part: String) -> Bool {
        utf8.withContiguousStorageIfAvailable { text in
            part.utf8.withContiguousStorageIfAvailable { ByteSearch.firstIndex(of: $0, in: text) != nil }
        } == true
    }
}
