import Bytes
import ChatModel

/// Reads the text after a line's time. Joins and leaves are read in the languages whose words are known here, and other
/// events in English and Korean (`po/*/konversation.po` of 22.12).
struct KonversationWords: Sendable {
    /// The own nick; nil until a line gives it.
    private var own: LogText?

    mutating func content(_ text: ArraySlice<UInt8>) -> IRCLine {
        if let (name, words) = text.after("<")?.parted(by: ">\t"), let nick = IRCLine.nick(name) {
            return IRCLine(.message, nick, LogText(words))
        }
        if let action = text.after("\t * ") {
            let name = action.prefix { $0 != Byte.space }
            if let nick = IRCLine.nick(name) {
                return IRCLine(.action, nick, LogText(action[name.endIndex...].dropFirst()))
            }
        }
        guard let (word, sentence) = text.parted(by: "\t") else { return .system(text) }
        return event(word, sentence) ?? .system(sentence)
    }

    private mutating func event(_ word: ArraySlice<UInt8>, _ sentence: ArraySlice<UInt8>) -> IRCLine? {
        if let notice = Self.notice(sentence) { return notice }
        for new in Self.ownNames.lazy.compactMap({ $0.texts(of: sentence)?[1] }) {
            defer { own = IRCLine.nick(new) }
            return own.flatMap { old in IRCLine.nick(new).map { IRCLine(.rename, old, $0) } }
        }
        return Self.movement(word, sentence) ?? Self.kick(sentence) ?? Self.renamed(sentence) ?? Self.topic(sentence)
            ?? Self.mode(sentence)
    }

    // MARK: - Joins and leaves

    /// The words before joins: English, Korean, German, French, Spanish, Galician, Italian, Portuguese, Russian, Japanese,
    /// Chinese, Dutch, Polish, Swedish, Turkish, Hungarian, Czech, Ukrainian, Finnish, Catalan.
    private static let joins = [
        "Join", "입장", "Betreten", "Joindre", "Unirse", "Entra", "Entrar", "Вход", "Зайти", "参加", "加入", "Deelnemen",
        "Dołącz", "Gå med", "Katıl", "Belépés", "Vstoupit", "Приєднання", "Liity", "Liittyminen",
    ]
    /// The words before parts and quits in these languages.
    private static let leaves = [
        "Part", "Quit", "퇴장", "끝내기", "Verlassen", "Beenden", "Partir", "Quitter", "Abandonar", "Salir", "Marchar",
        "Saír",
        "Esci", "Sair", "Покидание", "Выход", "退出", "离开", "離開", "Vertrek", "Afsluiten", "Opuść", "Zakończ", "Lämna",
        "Avsluta", "Kısım", "Çık", "Rész", "Kilépés", "Opustit", "Ukončit", "Полишення", "Вихід", "Poistuminen",
        "Abandona",
        "Surt",
    ]

    /// Reads `alice (~alice@host) has joined this channel.`, `alice(~alice@host) 님이 이 대화방을 떠났습니다(이유).`
    private static func movement(_ word: ArraySlice<UInt8>, _ sentence: ArraySlice<UInt8>) -> IRCLine? {
        let isJoin = joins.contains { word.elementsEqual($0.utf8) }
        guard isJoin || leaves.contains(where: { word.elementsEqual($0.utf8) }),
            let (who, rest) = sentence.parted(by: "("), let (mask, words) = rest.parted(by: ")"),
            mask.contains(Byte.at),
            !mask.contains(Byte.space), let nick = IRCLine.nick(who)
        else { return nil }
        // `You (~alice@host) have joined the channel #example.`
        guard !isJoin || !words.contains(UInt8(ascii: "#")) else { return nil }
        if isJoin { return IRCLine(.join, nick) }
        let end = words.unwrapped("", ".")
        guard end.last == UInt8(ascii: ")"), let (_, why) = end.parted(by: "(") else { return IRCLine(.leave, nick) }
        return IRCLine(.leave, nick, LogText(why.dropLast()))
    }

    /// Returns the channel of `Join`, a tab, `You (~alice@host) have joined the channel #example.`
    static func joinedRoom(_ text: ArraySlice<UInt8>) -> String? {
        guard let (word, sentence) = text.parted(by: "\t"), joins.contains(where: { word.elementsEqual($0.utf8) })
        else {
            return nil
        }
        let room = sentence.drop { $0 != UInt8(ascii: "#") }.prefix { $0 != Byte.space }
        let name = room.unwrapped("", ".")
        return name.count > 1 ? LogText(name).string : nil
    }

    // MARK: - Other events

    /// Reads `-alice- psst`, `-alice to #example- psst` and `-alice 님이 #example(으)로 보냄- psst`.
    private static func notice(_ sentence: ArraySlice<UInt8>) -> IRCLine? {
        guard let (from, words) = sentence.after("-")?.parted(by: "- "), from.first != Byte.space else { return nil }
        return IRCLine.nick(from.prefix { $0 != Byte.space }).map { IRCLine(.notice, $0, LogText(words)) }
    }

    private static let ownNames: [SentenceShape] = ["You are now known as %1.", "이제부터 대화명 %1을(를) 사용합니다."]
    private static let names: [SentenceShape] = [
        "%1 is now known as %2.", "%1 님이 대화명을 %2(으)로 바꿨습니다.", "%1 님이 대화명을 %2으로 바꿨습니다.", "%1 님이 대화명을 %2로 바꿨습니다.",
    ]
    private static let kicks: [SentenceShape] = [
        "%1 has been kicked from the channel by %2 (%3).", "%1 has been kicked from the channel by %2.",
        "%2 님이 %1 님을 대화방에서 추방했습니다(%3).", "%2 님이 %1 님을 대화방에서 추방했습니다.",
    ]
    private static let topics: [SentenceShape] = [
        "%1 sets the channel topic to \"%2\".", "%1 님이 대화방 주제를 \"%2\"(으)로 바꿨습니다.", "%1 님이 대화방 주제를 \"%2\"으로 바꿨습니다.",
        "%1 님이 대화방 주제를 \"%2\"로 바꿨습니다.",
    ]
    private static let unsetTopics: [SentenceShape] = [
        "%1 sets the channel topic to \"\".", "%1 님이 대화방 주제를 \"\"(으)로 바꿨습니다.", "%1 님이 대화방 주제를 \"\"으로 바꿨습니다.",
        "%1 님이 대화방 주제를 \"\"로 바꿨습니다.",
    ]

    private static func renamed(_ sentence: ArraySlice<UInt8>) -> IRCLine? {
        guard let texts = names.lazy.compactMap({ $0.texts(of: sentence) }).first,
            let old = texts[1].flatMap(IRCLine.nick),
            let new = texts[2].flatMap(IRCLine.nick)
        else { return nil }
        return IRCLine(.rename, old, new)
    }

    private static func kick(_ sentence: ArraySlice<UInt8>) -> IRCLine? {
        guard let texts = kicks.lazy.compactMap({ $0.texts(of: sentence) }).first,
            let victim = texts[1].flatMap(IRCLine.nick), let by = texts[2].flatMap(IRCLine.nick)
        else { return nil }
        return IRCLine.kick(victim, by, texts[3] ?? [])
    }

    private static func topic(_ sentence: ArraySlice<UInt8>) -> IRCLine? {
        if let name = unsetTopics.lazy.compactMap({ $0.texts(of: sentence)?[1] }).first {
            return IRCLine.nick(name).map { IRCLine(.topic, $0) }
        }
        guard let texts = topics.lazy.compactMap({ $0.texts(of: sentence) }).first,
            let name = texts[1].flatMap(IRCLine.nick)
        else { return nil }
        return IRCLine(.topic, name, texts[2].map { LogText($0) })
    }

    /// Reads a mode in words: `+o bob` for `alice gives channel operator privileges to bob.`
    private static func mode(_ sentence: ArraySlice<UInt8>) -> IRCLine? {
        for (mode, shapes) in KonversationModes.all {
            guard let texts = shapes.lazy.compactMap({ $0.texts(of: sentence) }).first,
                let name = texts[1].flatMap(IRCLine.nick), texts[2]?.contains(Byte.space) != true
            else { continue }
            let value = texts[2].map { [Byte.space] + $0 } ?? []
            return IRCLine(.mode, name, LogText((Array(mode.utf8) + value)[...]))
        }
        return nil
    }
}
