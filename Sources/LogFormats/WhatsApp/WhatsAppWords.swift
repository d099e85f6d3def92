/// The words that WhatsApp writes into exports, by language. They were seen in exports and in parsers of exports, most
/// of them in two that are independent of each other. Older versions of the app wrote some of them.
struct WhatsAppWords: Sendable {
    /// ISO 639-1.
    let language: String
    /// The names of files, with `*` for the person or group.
    var titles: [String] = []
    /// The words in brackets after the name of a file, on Android.
    var attached: [String] = []
    /// The texts of messages that somebody else, or the exporter, deleted. Without the full stop at the end.
    var deleted: [String] = []
    /// The words in `<…>` after the text of an edited message, without the full stop at the end.
    var edited: [String] = []

    static let all = [
        WhatsAppWords(
            language: "en", titles: ["WhatsApp Chat with *", "WhatsApp Chat - *"], attached: ["file attached"],
            deleted: [
                "This message was deleted", "You deleted this message", "This message was deleted by an admin",
            ], edited: ["This message was edited"]),
        WhatsAppWords(
            language: "ko", titles: ["*님과의 WhatsApp 대화", "WhatsApp 대화: *", "WhatsApp 대화 - *"], attached: ["파일 첨부됨"],
            deleted: [
                "이 메시지는 삭제되었습니다", "이 메시지를 삭제했습니다", "삭제한 메시지입니다", "삭제된 메시지입니다", "메시지를 삭제했습니다",
            ], edited: ["이 메시지는 수정되었습니다"]),
        WhatsAppWords(
            language: "ja", titles: ["*とのWhatsAppチャット"], attached: ["添付ファイル有り"],
            deleted: ["このメッセージは削除されました", "このメッセージを削除しました"], edited: ["このメッセージは編集されました"]),
        WhatsAppWords(
            language: "zh",
            titles: [
                "与*的 WhatsApp 聊天", "與*的 WhatsApp 對話", "WhatsApp 与 * 的对话", "WhatsApp 與 * 的對話",
            ], attached: ["文件附件", "附件檔案"],
            deleted: [
                "此消息已删除", "这条消息已被删除", "消息已删除", "信息已删除", "此訊息已刪除", "你删除了这条消息", "您已删除此消息", "您已删除这条消息",
                "您已刪除此訊息", "你已刪除此訊息",
            ], edited: ["此消息已编辑"]),
        WhatsAppWords(
            language: "de", titles: ["WhatsApp Chat mit *", "WhatsApp-Chat mit *"], attached: ["Datei angehängt"],
            deleted: ["Diese Nachricht wurde gelöscht", "Du hast diese Nachricht gelöscht"],
            edited: ["Diese Nachricht wurde bearbeitet"]),
        WhatsAppWords(
            language: "es", titles: ["Chat de WhatsApp con *"], attached: ["archivo adjunto", "archivo adjuntado"],
            deleted: ["Se eliminó este mensaje", "Este mensaje fue eliminado", "Eliminaste este mensaje"],
            edited: ["Se editó este mensaje"]),
        WhatsAppWords(
            language: "pt", titles: ["Conversa do WhatsApp com *", "Conversa no WhatsApp com *"],
            attached: ["arquivo anexado", "ficheiro anexado"],
            deleted: [
                "Mensagem apagada", "Esta mensagem foi apagada", "Essa mensagem foi apagada",
                "Esta mensagem foi apagada pelo remetente", "Você apagou esta mensagem", "Apagou esta mensagem",
            ], edited: ["Mensagem editada"]),
        WhatsAppWords(
            language: "fr", titles: ["Discussion WhatsApp avec *"], attached: ["fichier joint"],
            deleted: ["Ce message a été supprimé", "Vous avez supprimé ce message"],
            edited: ["Ce message a été modifié"]),
        WhatsAppWords(
            language: "it", titles: ["Chat WhatsApp con *"], attached: ["file allegato"],
            deleted: ["Questo messaggio è stato eliminato", "Hai eliminato questo messaggio"],
            edited: ["Questo messaggio è stato modificato"]),
        WhatsAppWords(
            language: "nl", titles: ["WhatsApp-chat met *"], attached: ["bestand bijgevoegd"],
            deleted: ["Dit bericht is verwijderd", "U hebt dit bericht verwijderd", "Je hebt dit bericht verwijderd"],
            edited: ["Dit bericht is bewerkt"]),
        WhatsAppWords(
            language: "ru", titles: ["Чат WhatsApp с контактом *", "Чат WhatsApp с *"], attached: ["файл добавлен"],
            deleted: [
                "Данное сообщение удалено", "Вы удалили данное сообщение", "Вы удалили это сообщение",
            ], edited: ["Сообщение изменено"]),
        WhatsAppWords(
            language: "tr", titles: ["* ile WhatsApp Sohbeti"], attached: ["dosya ekli"],
            deleted: ["Bu mesaj silindi", "Bu mesajı sildiniz"], edited: ["Bu mesaj düzenlendi"]),
        WhatsAppWords(
            language: "id", titles: ["Chat WhatsApp dengan *"], attached: ["file terlampir"],
            deleted: [
                "Pesan ini dihapus", "Pesan ini telah dihapus", "Anda menghapus pesan ini",
                "Anda telah menghapus pesan ini",
            ], edited: ["Pesan ini diedit"]),
        WhatsAppWords(
            language: "ar", titles: ["دردشة واتساب مع *"], attached: ["الملف مرفق", "ملف مرفق"],
            deleted: ["تم حذف هذه الرسالة", "لقد حذفت هذه الرسالة", "لقد حذَفت هذه الرسالة", "أنت حذفت هذه الرسالة"],
            edited: ["تم تعديل هذه الرسالة"]),
        WhatsAppWords(
            language: "he", titles: ["צ'אט WhatsApp עם *"], attached: ["קובץ מצורף"],
            deleted: ["הודעה זו נמחקה", "מחקת הודעה זו", "מחקת את ההודעה הזו", "מחקת את ההודעה הזאת"],
            edited: ["הודעה זו נערכה", "נערכה הודעה זו"]),
        WhatsAppWords(
            language: "pl", titles: ["Czat WhatsApp z *"], attached: ["załączony plik"],
            deleted: ["Ta wiadomość została usunięta", "Usunąłeś(-ęłaś) tę wiadomość", "Usunąłeś(aś) tę wiadomość"]),
        WhatsAppWords(
            language: "uk", titles: ["Бесіда WhatsApp з *"], attached: ["файл додано"],
            deleted: ["Це повідомлення було видалено", "Ви видалили це повідомлення"]),
        WhatsAppWords(
            language: "sv", titles: ["WhatsApp-chatt med *"], attached: ["bifogad fil"],
            deleted: [
                "Det här meddelandet raderades", "Detta meddelande raderades", "Du raderade det här meddelandet",
                "Du raderade detta meddelande", "Du har tagit bort meddelandet",
            ]),
        WhatsAppWords(
            language: "nb", titles: ["WhatsApp-samtale med *"], attached: ["vedlagt fil"],
            deleted: ["Denne meldingen ble slettet", "Du slettet denne meldingen"]),
        WhatsAppWords(
            language: "da", titles: ["WhatsApp chat med *"], attached: ["fil vedhæftet"],
            deleted: [
                "Denne besked blev slettet", "Denne besked er blevet slettet", "Du slettede denne besked",
                "Du har slettet denne besked",
            ]),
        WhatsAppWords(
            language: "fi", titles: ["WhatsApp-keskustelu henkilön * kanssa"], attached: ["liitetiedosto"],
            deleted: ["Tämä viesti poistettiin", "Poistit tämän viestin"]),
        WhatsAppWords(
            language: "cs", titles: ["Chat WhatsApp s uživatelem *"], attached: ["soubor byl přiložen"],
            deleted: [
                "Tato zpráva byla odstraněna", "Tato zpráva byla smazána", "Tuto zprávu jste odstranil/a",
                "Tuto zprávu jste smazal/a",
            ]),
        WhatsAppWords(
            language: "sk", titles: ["WhatsApp chat s používateľom *"], attached: ["súbor pripojený"],
            deleted: ["Táto správa bola odstránená", "Túto správu ste odstránili"]),
        WhatsAppWords(
            language: "ro", titles: ["Conversație WhatsApp cu *"], attached: ["fișier atașat"],
            deleted: ["Acest mesaj a fost șters", "Ați șters acest mesaj"]),
        WhatsAppWords(
            language: "hu", titles: ["WhatsApp csevegés vele: *"], attached: ["fájl csatolva"],
            deleted: ["Ez az üzenet törlésre került", "Törölted ezt az üzenetet", "Ezt az üzenetet törölted"]),
        WhatsAppWords(
            language: "el", titles: ["Συνομιλία WhatsApp με *"], attached: ["συνημμένο αρχείο"],
            deleted: ["Αυτό το μήνυμα διαγράφηκε", "Διαγράψατε αυτό το μήνυμα", "Διαγράψατε το μήνυμα"]),
        WhatsAppWords(
            language: "vi", titles: ["Trò chuyện WhatsApp với *"], attached: ["tệp đính kèm"],
            deleted: [
                "Tin nhắn này đã bị xóa", "Tin nhắn này đã bị xoá", "Bạn đã xóa tin nhắn này",
                "Bạn đã xoá tin nhắn này",
            ]),
        WhatsAppWords(
            language: "th", titles: ["แชท WhatsApp กับ *"], attached: ["ไฟล์ที่แนบ"],
            deleted: ["ข้อความนี้ถูกลบแล้ว", "ข้อความนี้ได้ถูกลบ", "คุณได้ลบข้อความนี้", "คุณลบข้อความนี้"]),
        WhatsAppWords(
            language: "ms", titles: ["Sembang WhatsApp dengan *"], attached: ["fail dilampirkan"],
            deleted: ["Mesej ini telah dipadam", "Anda telah memadamkan mesej ini", "Anda telah memadam mesej ini"]),
        WhatsAppWords(
            language: "hi", titles: ["* के साथ WhatsApp चैट"], attached: ["फाइल अटैच कर दी गई है"],
            deleted: [
                "यह मैसेज डिलीट कर दिया गया है", "यह मैसेज मिटाया गया", "यह संदेश मिटाया गया", "आपने यह मैसेज डिलीट किया",
                "आपने यह संदेश मिटाया",
            ]),
        WhatsAppWords(
            language: "ur", titles: ["* کے ساتھ WhatsApp بات چیت"], attached: ["پیوستہ فائل"],
            deleted: [
                "یہ میسج حذف کر دیا گیا ہے", "یہ پیغام حذف کیا گیا", "آپ نے یہ میسج حذف کر دیا ہے",
                "آپ نے اس پیغام کو حذف کیا",
            ]),
        WhatsAppWords(
            language: "fa", titles: ["گفتگوی WhatsApp با *"],
            deleted: ["این پیام حذف شده است", "این پیام حذف شد", "شما این پیام را حذف کردید"]),
        WhatsAppWords(
            language: "ca", titles: ["Xat de WhatsApp amb *"], attached: ["arxiu adjunt"],
            deleted: [
                "Aquest missatge s'ha suprimit", "Aquest missatge està esborrat", "Has suprimit aquest missatge",
                "Has esborrat aquest missatge",
            ]),
        WhatsAppWords(
            language: "hr", titles: ["WhatsApp razgovor s *"], attached: ["datoteka u privitku"],
            deleted: ["Ova poruka je izbrisana", "Ova je poruka izbrisana", "Izbrisali ste ovu poruku"]),
        WhatsAppWords(
            language: "bg", titles: ["WhatsApp Чат с *"], attached: ["прикачен файл"],
            deleted: ["Съобщението беше изтрито", "Изтрихте това съобщение"]),
        WhatsAppWords(
            language: "bn", titles: ["* এর সাথে WhatsApp চ্যাট"], attached: ["ফাইল সংযুক্ত হয়েছে"],
            deleted: ["এই মেসেজটি বাদ দেওয়া হয়েছে", "আপনি এই মেসেজটি বাদ দিয়েছেন"]),
        WhatsAppWords(
            language: "mr", titles: ["* सोबतच्या WhatsApp गप्पा"], attached: ["फाइल संलग्न"],
            deleted: ["हा मेसेज हटवण्यात आला", "तुम्ही हा मेसेज हटवला"]),
        WhatsAppWords(
            language: "gu", titles: ["* સાથેની WhatsApp વાત"], attached: ["ફાઇલ જોડાયેલ"],
            deleted: ["આ મેસેજ ડિલીટ કરાયો", "તમે આ મેસેજ ડિલીટ કર્યો"]),
        WhatsAppWords(
            language: "af", titles: ["WhatsApp Gesprek met *"], attached: ["lêer aangeheg"],
            deleted: ["Hierdie boodskap was uitgevee"]),
        WhatsAppWords(language: "az", titles: ["* ilə WhatsApp Söhbəti"], attached: ["fayl əlavə olunub"]),
        WhatsAppWords(language: "et", titles: ["WhatsApp'i vestlus kontaktiga *"], attached: ["fail lisatud"]),
        WhatsAppWords(language: "kk", titles: ["WhatsApp чат: *"], attached: ["қосымша файл"]),
        WhatsAppWords(language: "lt", titles: ["WhatsApp pokalbis su *"], attached: ["byla prisegta"]),
        WhatsAppWords(language: "lv", titles: ["WhatsApp sarakste ar *"], attached: ["pievienots fails"]),
        WhatsAppWords(language: "mk", titles: ["WhatsApp разговор со *"], attached: ["прикачен фајл"]),
        WhatsAppWords(language: "sl", titles: ["WhatsApp klepet z *"], attached: ["priložena datoteka"]),
        WhatsAppWords(language: "sq", titles: ["Biseda me * në WhatsApp"], attached: ["skedë e ngjitur"]),
        WhatsAppWords(language: "sr", titles: ["WhatsApp Ћаскање са *"], attached: ["прикачена датотека"]),
        WhatsAppWords(language: "sw", titles: ["Soga za WhatsApp na *"], attached: ["faili limeambatanishwa"]),
        WhatsAppWords(language: "fil", titles: ["WhatsApp Chat kay *"], attached: ["nakalakip na file"]),
        WhatsAppWords(language: "uz", titles: ["* bilan WhatsApp chati"], attached: ["fayl biriktirildi"]),
        WhatsAppWords(language: "kn", titles: ["* ಜೊತೆ WhatsApp ಸಂಭಾಷಣೆ"], attached: ["ಕಡತ ಸೇರಿಸಲಾಯಿತು"]),
        WhatsAppWords(language: "ml", titles: ["* മായുള്ള WhatsApp ചാറ്റുകൾ"], attached: ["ഫയൽ ചേർത്തു"]),
        WhatsAppWords(language: "pa", titles: ["* ਨਾਲ WhatsApp ਗੱਲਬਾਤ"], attached: ["ਫਾਈਲ ਅਟੈਚ ਕੀਤੀ"]),
        WhatsAppWords(language: "ta", titles: ["* உடன் WhatsApp உரையாடல்"]),
        WhatsAppWords(language: "te", titles: ["* తో WhatsApp సంభాషణ"], attached: ["ఫైల్ జోడించబడినది"]),
    ]

    static let attached = Set(all.flatMap(\.attached))
    static let deleted = Set(all.flatMap(\.deleted))
    static let edited = Set(all.flatMap(\.edited))

    /// The words around the name of a file, without brackets: Persian and Tamil, on Android.
    static let attachedAround = [(before: "فایل پیوست شد ", after: ""), (before: "", after: " இணைக்கப்பட்டது")]

    /// Returns the text without a full stop at its end.
    static func withoutStop(_ text: some StringProtocol) -> String {
        text.last.map { ".。।۔".contains($0) } ?? false ? String(text.dropLast()) : String(text)
    }
}

/// The name of a file of WhatsApp, with the person or group, and the language of the words around it.
struct WhatsAppTitle {
    let room: String
    let language: String

    /// Nil for another name.
    init?(_ name: String) {
        for (before, after, language) in Self.patterns {
            guard name.hasPrefix(before), name.hasSuffix(after) else { continue }
            let room = String(name.dropFirst(before.count).dropLast(after.count)).withoutMarks
            guard !room.isEmpty else { continue }
            (self.room, self.language) = (room, language)
            return
        }
        return nil
    }

    /// The words before and after the name; the longest first, because some contain others.
    private static let patterns = WhatsAppWords.all.flatMap { words in
        words.titles.map { title in
            let parts = title.split(separator: "*", omittingEmptySubsequences: false)
            return (before: String(parts[0]), after: String(parts[1]), language: words.language)
        }
    }.sorted { $0.before.count + $0.after.count > $1.before.count + $1.after.count }
}
