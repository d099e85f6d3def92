/// A kind of file that people keep beside their logs and that no format reads.
package struct UnsupportedKind: Sendable {
    /// The kind with its article, for people: `an encrypted WhatsApp backup`.
    package let what: String
    /// The advice, an imperative without a full stop.
    package let advice: String
    /// The signs of the kind. One of them is enough.
    let signs: [Sign]

    /// The kind without its article: `encrypted WhatsApp backup`.
    package var noun: String { what.split(separator: " ", maxSplits: 1).last.map(String.init) ?? what }

    /// True for a picture, a video or a sound, which messages may name.
    package var isMedia: Bool { Self.media.contains { $0.what == what } }

    /// The advice for a file that a person named in the command.
    package var adviceForGiven: String {
        guard isMedia else { return advice }
        return "import the chat's file, or its folder; the files beside it come with it"
    }

    /// Returns the first kind that a file has; nil for an unknown file.
    ///
    /// - Parameters:
    ///   - name: The file's name, without its folders.
    ///   - beginning: The first bytes of the file, unpacked.
    package static func find(name: String, beginning: [UInt8]) -> UnsupportedKind? {
        let file = Beginning(name: name, beginning)
        return all.first { $0.signs.contains { $0.fits(file) } }
    }

    /// Returns true for the name of a document that is a ZIP archive, as Word writes it.
    package static func isPackedDocument(name: String) -> Bool {
        let path = "/" + name.lowercased()
        return documents.contains { $0.signs.contains { $0.bytes == Sign.zipBytes && $0.fitsName(path) } }
    }

    init(_ what: String, _ advice: String, _ signs: Sign...) {
        (self.what, self.advice, self.signs) = (what, advice, signs)
    }
}

extension UnsupportedKind {
    /// All kinds, the more specific first.
    package static let all = programs + databases + archives + documents + media

    /// Databases and backups of chat programs. An encrypted database begins with random bytes, so it is recognised only
    /// by its name.
    private static let databases = [
        UnsupportedKind(
            "an encrypted WhatsApp backup", "in WhatsApp, open the chat, choose Export chat, and import that file",
            .name(".crypt5", ".crypt7", ".crypt8", ".crypt12", ".crypt14", ".crypt15")),
        UnsupportedKind(
            "a WhatsApp database", "in WhatsApp, open the chat, choose Export chat, and import that file",
            .database("/msgstore.db", "/wa.db", "/chatstorage.sqlite")),
        UnsupportedKind(
            "an encrypted WeChat database",
            "WeChat exports no chats; decrypt it with another program, and import its CSV",
            .name("/enmicromsg.db", "/micromsg.db", "/chatmsg.db"), .name("/msg0.db", "/msg1.db", "/msg2.db")),
        UnsupportedKind(
            "a KakaoTalk database with encrypted messages",
            "in KakaoTalk, open the chat, choose Export chats (대화 내보내기), and import that file",
            .name("/kakaotalk.db", "/kakaotalk2.db", "/talkuserdb.edb", "/chatlistinfo.edb"),
            Sign(start: "chatlogs_", endings: [".edb"])),
        UnsupportedKind(
            "a LINE database", "in LINE, open the chat, choose Export chat history, and import that file",
            .database("/naver_line", "/naver_line.db", "/line.sqlite")),
        UnsupportedKind(
            "an encrypted Signal backup", "in Signal, export the chat history, and import that folder",
            Sign(start: "signal", endings: [".backup"])
        ),
        UnsupportedKind(
            "a data file of Telegram Desktop",
            "in Telegram Desktop, choose Settings, Advanced, Export Telegram data, as JSON", .bytes("TDF$"),
            .name("/key_datas", ".tdata")),
        UnsupportedKind(
            "a Skype database", "export its messages as CSV with another program, and import that",
            .database("/main.db")),
        UnsupportedKind(
            "a Viber database", "export its messages as CSV with another program, and import that",
            .database("/viber.db", "/viber_messages", "/viber_data")),
        UnsupportedKind(
            "an encrypted Viber database", "decrypt it with another program, and import the decrypted viber.db",
            .name("/viber.db")),
        UnsupportedKind(
            "a backup of an iPhone", "export the chats in their apps, and import those files",
            .database("/manifest.db")),
        UnsupportedKind(
            "a backup of an Android phone", "export the chats in their apps, and import those files",
            .bytes("ANDROID BACKUP\n")),
        UnsupportedKind(
            "a SQLite database of an unknown program",
            "export its messages as CSV, and import that",
            .bytes("SQLite format 3\0")),
        UnsupportedKind(
            "an Outlook mailbox", "mail is not imported; save the attached logs, and import those",
            .bytes("!BDN"), .name(".pst", ".ost")),
        UnsupportedKind(
            "a mail", "save the attached log, and import that", .name(".eml", ".msg", ".mbox")),
    ]

    private static let archives = [
        UnsupportedKind("a RAR archive", "unpack it with unrar, and import the folder", .bytes("Rar!\u{1A}\u{7}")),
        UnsupportedKind(
            "a 7-Zip archive", "unpack it with 7z x, and import the folder", .bytes([0x37, 0x7A, 0xBC, 0xAF])),
        UnsupportedKind(
            "a file packed by xz", "unpack it with xz -dk, and import the result",
            .bytes([0xFD, 0x37, 0x7A, 0x58, 0x5A])),
        UnsupportedKind("a file packed by bzip2", "unpack it with bzip2 -dk, and import the result", .bytes("BZh")),
        UnsupportedKind(
            "a file packed by zstd", "unpack it with zstd -d, and import the result", .bytes([0x28, 0xB5, 0x2F, 0xFD])),
        UnsupportedKind("a tar archive", "unpack it with tar -xf, and import the folder", .bytes("ustar", at: 257)),
        UnsupportedKind(
            "an encrypted PGP message", "decrypt it with gpg -d, and import the result",
            .bytes("-----BEGIN PGP MESSAGE-----")),
    ]

    private static let documents = [
        UnsupportedKind("a PDF document", "export the chat as text or JSON instead", .bytes("%PDF-")),
        UnsupportedKind(
            "a Word document", "save it as plain text, and import that",
            .zip(".docx", ".odt", ".pages"), .bytes("{\\rtf"),
            Sign(endings: [".doc"], bytes: [0xD0, 0xCF, 0x11, 0xE0])),
        UnsupportedKind(
            "a spreadsheet", "save it as CSV, and import that",
            .zip(".xlsx", ".ods", ".numbers"), Sign(endings: [".xls"], bytes: [0xD0, 0xCF, 0x11, 0xE0])),
        UnsupportedKind(
            "a web page", "export the chat as text or JSON instead; pages of Discord and WhatsApp viewers are not read",
            .bytes("<!DOCTYPE html"), .bytes("<!doctype html"), .bytes("<html"), .name(".html", ".htm")),
    ]

    private static let media = [
        UnsupportedKind(
            "an image", "messages that name it keep its name",
            .bytes([0xFF, 0xD8, 0xFF]), .bytes([0x89, 0x50, 0x4E, 0x47]), .bytes("GIF8"), .bytes("WEBP", at: 8),
            .bytes("ftyphei", at: 4), .name(".jpg", ".jpeg", ".png", ".gif", ".webp", ".heic", ".bmp")),
        UnsupportedKind(
            "a video", "messages that name it keep its name",
            .bytes("ftyp", at: 4), .bytes([0x1A, 0x45, 0xDF, 0xA3]), .name(".mp4", ".mov", ".3gp", ".avi", ".webm")),
        UnsupportedKind(
            "a sound", "messages that name it keep its name",
            .bytes("OggS"), .bytes("ID3"), .bytes("#!AMR"), .bytes("WAVE", at: 8),
            .name(".mp3", ".m4a", ".aac", ".ogg", ".opus", ".amr", ".wav")),
    ]
}
