import TestSupport

@testable import TextEncodings

/// Invented chats in the languages of the encodings.
enum Sample {
    static let korean = [
        "오늘 저녁에 뭐 먹을까?", "아까 보낸 파일 봤어? 아직 안 봤으면 나중에 봐도 돼", "ㅋㅋㅋ 그건 진짜 아니지",
        "내일 오후 세 시에 도서관 앞에서 만나요", "네 알겠습니다. 비가 오면 우산을 가져갈게요",
    ]
    static let japanese = [
        "今日の夜は何を食べますか？", "さっき送ったファイルを見ましたか。まだなら後でいいですよ", "それは本当に違うと思うけど",
        "明日の午後三時に図書館の前で会いましょう", "はい、わかりました。雨が降ったら傘を持って行きます",
    ]
    static let simplifiedChinese = [
        "今天晚上吃什么？", "刚才发的文件你看了吗？没看的话以后再看也可以", "我觉得这个真的不是这样的", "明天下午三点在图书馆门口见",
        "好的，知道了。如果下雨我就带伞去",
    ]
    static let traditionalChinese = [
        "今天晚上吃什麼？", "剛才發的檔案你看了嗎？沒看的話以後再看也可以", "我覺得這個真的不是這樣的", "明天下午三點在圖書館門口見",
        "好的，知道了。如果下雨我就帶傘去",
    ]
    static let russian = [
        "Что будем есть сегодня вечером?", "ты видел файл, который я отправила? если нет, посмотри потом",
        "Ну это точно не так", "Завтра в три часа встречаемся у библиотеки",
        "да, понял. если пойдёт дождь, возьму зонтик",
    ]
    static let western = [
        "Où est-ce qu'on mange ce soir ? J'ai déjà réservé", "Das wäre schön, aber ich müsste früher gehen",
        "¿Mañana por la tarde en la biblioteca? Sí, allí estaré", "já vi o ficheiro, não há problema",
        "jag måste gå nu, vi hörs på måndag", "voilà, c'est ça que j'espérais",
    ]

    /// The texts for each encoding that is recognised.
    static let all: [(encoding: TextEncoding, texts: [String])] = [
        (.cp949, korean), (.iso2022JP, japanese), (.shiftJIS, japanese), (.eucJP, japanese),
        (.gb18030, simplifiedChinese), (.big5, traditionalChinese), (.koi8R, russian), (.windows1251, russian),
        (.windows1252, western),
    ]

    /// Returns texts as the lines of a log.
    static func log(_ texts: [String], in encoding: TextEncoding) throws -> [UInt8] {
        try texts.enumerated().map { "[10:0\($0.offset % 10)] <alice> \($0.element)\n" }.joined()
            .encoded(as: encoding.encoderName)
    }

    static func texts(for encoding: TextEncoding) -> [String] {
        all.first { $0.encoding == encoding }?.texts ?? []
    }
}

extension TextEncoding {
    /// The name for iconv as an encoder.
    var encoderName: String {
        switch self {
        case .iso2022JP: "ISO-2022-JP"
        case .latin1, .latin9, .windows1252, .utf8: rawValue
        default: iconvName ?? rawValue
        }
    }
}

extension EncodingSample {
    /// - Parameter size: The bytes of a chunk.
    init(_ bytes: [UInt8], by size: Int = .max / 2) {
        self.init()
        for start in stride(from: 0, to: bytes.count, by: size) {
            sample(bytes[start..<min(bytes.count, start + size)])
        }
        finish()
    }
}
