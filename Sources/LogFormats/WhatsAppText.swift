import Foundation

/// The content of a WhatsApp message: its text, its files, and flags for an edit and a deletion.
struct WhatsAppText {
    /// Nil for a file alone or a deleted message.
    private(set) var body: String?
    private(set) var files: [String] = []
    private(set) var isEdited = false
    private(set) var isDeleted = false

    /// True if only text was found.
    var isPlain: Bool { files.isEmpty && !isDeleted && !isEdited }

    init(plain text: String) {
        body = text.withoutMarkBefore
    }

    /// - Parameter text: The text of all its lines.
    init(_ text: String) {
        var text = text.withoutMarkBefore
        if let words = Self.edited.first(where: { text.hasSuffix("<\($0)>") }) {
            isEdited = true
            text.removeLast(words.count + 2)
            while let last = text.unicodeScalars.last, WhatsAppHeader.isMark(last) || last == " " {
                text.unicodeScalars.removeLast()
            }
        }
        if Self.deleted.contains(text.hasSuffix(".") ? String(text.dropLast()) : text) {
            isDeleted = true
            return
        }
        take(&text)
        body = text.isEmpty && !files.isEmpty ? nil : text
    }

    /// Takes the file of `IMG-20261121-WA0001.jpg (file attached)`, whose caption is in the next line, or of
    /// `<attached: 00000012-PHOTO.jpg>` after its caption.
    private mutating func take(_ text: inout String) {
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let first = lines.first ?? ""
        if first.hasSuffix(")"), let open = first.range(of: " (", options: .backwards) {
            let words = first[open.upperBound...].dropLast()
            let name = String(first[..<open.lowerBound])
            if Self.attached.contains(String(words)) || name.wholeMatch(of: Self.fileName) != nil {
                files = [name]
                text = lines.count > 1 ? String(lines[1]) : ""
            }
        } else if text.hasSuffix(">"), let open = text.range(of: "<", options: .backwards),
            let match = text[open.lowerBound...].wholeMatch(of: /<[^:<>\n]{2,40}: ([0-9]{8}-[^<>\n\/]+)>/)
        {
            files = [String(match.1)]
            text = String(text[..<open.lowerBound])
            while let last = text.unicodeScalars.last, WhatsAppHeader.isMark(last) || last == " " || last == "\n" {
                text.unicodeScalars.removeLast()
            }
        }
    }

    /// The names that the app gives to files that it sends, in every language.
    nonisolated(unsafe) private static let fileName =
        /(?:IMG|VID|AUD|PTT|STK|DOC|GIF)-[0-9]{8}-WA[0-9]{4,}\.[A-Za-z0-9]{1,5}/

    private static let attached: Set<String> = [
        "file attached", "파일 첨부됨", "添付ファイル有り", "文件附件", "附件檔案", "Datei angehängt", "archivo adjunto", "arquivo anexado",
        "ficheiro anexado", "fichier joint", "file allegato", "bestand bijgevoegd", "файл добавлен", "file terlampir",
    ]

    private static let edited = [
        "This message was edited", "이 메시지는 수정되었습니다", "Diese Nachricht wurde bearbeitet",
        "Diese Nachricht wurde bearbeitet.",
        "Se editó este mensaje.", "Mensagem editada", "Ce message a été modifié", "Questo messaggio è stato modificato",
        "Dit bericht is bewerkt", "このメッセージは編集されました", "此消息已编辑",
    ]

    /// The texts of deleted messages, without the full stop at the end.
    private static let deleted: Set<String> = [
        "This message was deleted", "You deleted this message", "이 메시지는 삭제되었습니다", "메시지를 삭제했습니다", "삭제된 메시지입니다",
        "このメッセージは削除されました", "このメッセージを削除しました", "此消息已删除", "此訊息已刪除", "你删除了这条消息",
        "Diese Nachricht wurde gelöscht", "Du hast diese Nachricht gelöscht", "Se eliminó este mensaje",
        "Eliminaste este mensaje",
        "Mensagem apagada", "Esta mensagem foi apagada", "Você apagou esta mensagem", "Ce message a été supprimé",
        "Vous avez supprimé ce message", "Questo messaggio è stato eliminato", "Hai eliminato questo messaggio",
        "Dit bericht is verwijderd", "U hebt dit bericht verwijderd", "Je hebt dit bericht verwijderd",
    ]
}

extension String {
    /// The text without the direction marks at its beginning.
    fileprivate var withoutMarkBefore: String {
        String(unicodeScalars.drop { WhatsAppHeader.isMark($0) })
    }
}
