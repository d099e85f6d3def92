import ChatModel
import Testing

@testable import LogFormats

/// The words of the app in all languages. The tests without the table have the words that are most frequent.
struct WhatsAppWordsTests {
    private func read(_ text: String, path: String = "WhatsApp Chat with Minsu.txt") throws -> LogReading {
        try LogReading(WhatsAppFormat.self, "21/11/2026, 06:23 - Alice: \(text)", path: path)
    }

    private static let titles = WhatsAppWords.all.flatMap(\.titles)
    private static let attached = WhatsAppWords.all.flatMap(\.attached)
    private static let deleted = WhatsAppWords.all.flatMap(\.deleted)
    private static let edited = WhatsAppWords.all.flatMap(\.edited)

    @Test(arguments: titles)
    func `the file's name has the room`(title: String) throws {
        let path = title.replacing("*", with: "김 민수")
        #expect(try read("hi", path: path + ".txt").messages.map(\.room) == ["김 민수"])
        #expect(try read("hi", path: path + " (2).zip/_chat.txt").messages.map(\.room) == ["김 민수"])
        #expect(WhatsAppFormat.recognises(LogReading.source(Array("21/11/26, 1:00 - a: b".utf8), path: path + ".txt")))
        #expect(KakaoTalkFormat.recognises(LogReading.source([], path: path + ".txt")) == false)
    }

    @Test(arguments: attached)
    func `words in brackets after a name mark a file`(words: String) throws {
        let message = try #require(read("my report.pdf (\(words))\na caption").messages.first)
        #expect(message.files.map(\.path) == ["my report.pdf"])
        #expect(message.body == "a caption")
    }

    @Test(arguments: deleted)
    func `a sentence replaces a deleted message`(sentence: String) throws {
        for end in ["", ".", "。"] {
            let message = try #require(read("\u{200E}" + sentence + end).messages.first)
            #expect(message.deletedAt != nil && message.body == nil)
        }
        #expect(try read(sentence + "?").messages.map(\.deletedAt) == [nil])
    }

    @Test(arguments: edited)
    func `words in angle brackets mark an edit`(words: String) throws {
        for end in [">", ".>"] {
            let message = try #require(read("hi \u{200E}<\(words)\(end)").messages.first)
            #expect(message.editedAt != nil && message.body == "hi")
        }
    }

    /// Words that two independent sources have.
    @Test(arguments: [
        "이 메시지를 삭제했습니다", "삭제한 메시지입니다", "Данное сообщение удалено", "Вы удалили данное сообщение", "Bu mesaj silindi",
        "Bu mesajı sildiniz", "Pesan ini telah dihapus", "Pesan ini dihapus", "Este mensaje fue eliminado.",
        "הודעה זו נמחקה",
        "تم حذف هذه الرسالة", "此訊息已刪除。", "这条消息已被删除。", "信息已删除", "您已删除此消息", "您已删除这条消息", "您已刪除此訊息",
        "Essa mensagem foi apagada", "Ta wiadomość została usunięta", "このメッセージを削除しました。",
        "This message was deleted by admin Bob", "This message was deleted by an admin",
    ])
    func `a frequent sentence replaces a deleted message`(sentence: String) throws {
        let message = try #require(read(sentence).messages.first)
        #expect(message.deletedAt != nil && message.body == nil)
    }

    @Test(arguments: [
        ("привет \u{200E}<Сообщение изменено>", "привет"), ("selam <Bu mesaj düzenlendi>", "selam"),
        ("halo <Pesan ini diedit>", "halo"), ("مرحبا <تم تعديل هذه الرسالة>", "مرحبا"),
        ("hola\n<Se editó este mensaje.>", "hola"),
    ])
    func `a frequent edit mark is removed`(text: String, body: String) throws {
        let message = try #require(read(text).messages.first)
        #expect(message.editedAt != nil && message.body == body)
    }

    @Test(arguments: [
        ("민수님과의 WhatsApp 대화.txt", "민수"), ("Чат WhatsApp с контактом Иван.txt", "Иван"),
        ("Чат WhatsApp с Иван.txt", "Иван"),
        ("Czat WhatsApp z Ola.txt", "Ola"), ("Bora ile WhatsApp Sohbeti.txt", "Bora"), ("与小明的 WhatsApp 聊天.txt", "小明"),
        ("與小明的 WhatsApp 對話 (1).txt", "小明"), ("Conversa no WhatsApp com Ana.txt", "Ana"),
        ("WhatsApp ile Sohbet.txt", "WhatsApp ile Sohbet"), (" ile WhatsApp Sohbeti.txt", "ile WhatsApp Sohbeti"),
    ])
    func `a frequent file name has the room`(path: String, room: String) throws {
        #expect(try read("hi", path: path).messages.map(\.room) == [room])
    }

    @Test(
        arguments: [
            ("\u{200E}<00000012-PHOTO-2023-05-05-18-01-12.jpg eklendi>", "00000012-PHOTO-2023-05-05-18-01-12.jpg", nil),
            ("bak \u{200E}<00000012-rapor.pdf eklendi>", "00000012-rapor.pdf", "bak"),
            ("< attached: 00000042-PHOTO-2020-06-07.jpg >", "00000042-PHOTO-2020-06-07.jpg", nil),
            ("<附件：00000042-PHOTO-2020-06-07.jpg>", "00000042-PHOTO-2020-06-07.jpg", nil),
            ("<adjunto: 00000002-PHOTO-2018-03-25.jpg>", "00000002-PHOTO-2018-03-25.jpg", nil),
            ("2015-08-04-PHOTO-00004762.jpg <\u{200E}attached>", "2015-08-04-PHOTO-00004762.jpg", nil),
            ("\u{200E}IMG-20261121-WA0001.jpg (words of another language)", "IMG-20261121-WA0001.jpg", nil),
            // The mark before the name shows that the app wrote it.
            ("\u{200E}my report.pdf (words of another language)", "my report.pdf", nil),
            ("\u{200F}تقرير.pdf\u{200F} (الملف مرفق)", "تقرير.pdf", nil),
            ("فایل پیوست شد گزارش.pdf", "گزارش.pdf", nil), ("அறிக்கை.pdf இணைக்கப்பட்டது", "அறிக்கை.pdf", nil),
        ] as [(String, String, String?)])
    func `a file is found in each form`(text: String, file: String, body: String?) throws {
        let message = try #require(read(text).messages.first)
        #expect(message.files.map(\.path) == [file])
        #expect(message.body == body)
    }

    @Test(arguments: [
        "see report.pdf (page 3)", "\u{200E}no ending (words)", "<00000012-PHOTO eklendi>", "a <attached>",
        "text <hi there>", "<This message was edited by me>",
    ])
    func `similar texts stay text`(text: String) throws {
        let message = try #require(read(text).messages.first)
        #expect(message.files.isEmpty && message.editedAt == nil && message.deletedAt == nil)
        #expect(message.body == text.replacing("\u{200E}", with: ""))
    }

    @Test func `French writes à between date and time, and a message can be empty`() throws {
        let read = try LogReading(
            WhatsAppFormat.self, "02.05.18 à 18:00 - Alice: salut\n13.05.18 à 07:05 - Bob:", path: "c.txt")
        #expect(read.told == ["Alice: salut", "Bob"])
        #expect(read.messages.map(\.body) == ["salut", nil])
    }

    @Test(arguments: [
        ("PG", 6), ("PTG", 18), ("dop.", 6), ("odp.", 18), ("дп", 6), ("пп", 18), ("ap.", 6), ("ip.", 18), ("ق.ظ.", 6),
        ("ب.ظ.", 18),
    ])
    func `AM and PM are recognised in more languages`(word: String, hour: Int) throws {
        let read = try LogReading(WhatsAppFormat.self, "21/11/2026, 6:23 \(word) - Alice: hi", path: "c.txt")
        #expect(read.times == ["21T\(hour < 10 ? "0" : "")\(hour):23:00"])
    }
}
