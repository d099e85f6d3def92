import Bytes

/// The columns of a WeChat table, by what they mean.
struct WeChatColumns: Sendable {
    enum Column: Sendable, Hashable, CaseIterable {
        case id, kind, own, time, localTime, sender, senderID, remark, nickname, text, file, room
    }

    private let positions: [Column: Int]

    /// WeChatMsg before version 2: the text of other kinds than texts is WeChat's XML.
    private static let numbered: [Column: String] = [
        .kind: "Type", .own: "IsSender", .time: "CreateTime", .localTime: "StrTime", .text: "StrContent",
        .remark: "Remark", .nickname: "NickName", .senderID: "Sender",
    ]
    /// WeChatMsg since version 2, which is MemoTrace.
    private static let named: [Column: String] = [
        .id: "消息ID", .kind: "类型", .sender: "发送人", .localTime: "时间", .text: "内容",
    ]
    /// PyWxDump; WeFlow has no `room_name`, and an older version `content` in place of `msg` and `src`.
    private static let dumped: [Column: String] = [
        .id: "MsgSvrID", .kind: "type_name", .own: "is_sender", .localTime: "CreateTime", .sender: "talker",
        .senderID: "talker", .text: "msg", .file: "src", .room: "room_name",
    ]
    /// The columns without which a table is not read.
    private static let required: [([Column: String], [Column])] = [
        (numbered, [.kind, .own, .time, .text]), (named, [.id, .kind, .sender, .localTime, .text]),
        (dumped, [.id, .kind, .own, .localTime, .sender, .text]),
    ]

    /// Nil for a line that is not the header of such a table.
    init?(_ line: ArraySlice<UInt8>) {
        var line = line
        if line.starts(with: JSONCutter.byteOrderMark) { line = line.dropFirst(JSONCutter.byteOrderMark.count) }
        guard line.count < 4096, let fields = CSVRecord(line, separator: Byte.comma)?.fields else { return nil }
        let names = fields.map { String(decoding: $0 ?? [], as: UTF8.self).trimmedOfBlanks }
        for (columns, required) in Self.required {
            let positions = columns.compactMapValues { names.firstIndex(of: $0) }
            if required.allSatisfy({ positions[$0] != nil }) {
                self.positions = positions
                return
            }
        }
        return nil
    }

    /// True for a table with the ids of rooms.
    var hasRooms: Bool { positions[.room] != nil }

    func position(of column: Column) -> Int? { positions[column] }
}

/// A row of a WeChat table.
struct WeChatRow {
    private let fields: [ArraySlice<UInt8>?]
    private let columns: WeChatColumns

    init(_ fields: [ArraySlice<UInt8>?], _ columns: WeChatColumns) {
        (self.fields, self.columns) = (fields, columns)
    }

    /// The value of a column; nil if it is empty or missing.
    subscript(_ column: WeChatColumns.Column) -> String? {
        guard let index = columns.position(of: column), fields.indices.contains(index), let field = fields[index] else {
            return nil
        }
        let text = LogText(field).string.trimmedOfBlanks
        return text.isEmpty ? nil : text
    }

    var isOwn: Bool { self[.own].flatMap(OwnWord.isOwn) ?? false }

    /// WeChat's id of the message, which is 0 before it was sent.
    var id: String? { ExportText.name(self[.id]).flatMap { $0 == "0" ? nil : $0 } }

    /// True for a notice of WeChat, such as one of a recalled message.
    var isNotice: Bool {
        guard let kind = self[.kind] else { return false }
        return Self.notices.contains(kind) || kind.hasPrefix("消息撤回")
    }

    private static let notices: Set = ["10000", "10002", "系统消息", "系统通知", "拍一拍", "邀请加群"]

    /// The words for kinds of messages whose text is XML or missing.
    private static let words = [
        "3": "[image]", "34": "[voice]", "42": "[contact]", "43": "[video]", "47": "[sticker]", "48": "[location]",
        "49": "[link or file]", "50": "[call]",
    ]

    /// The kinds of PyWxDump whose address is that of a file.
    private static let fileKinds = ["图片", "语音", "视频", "表情", "文件"]

    /// The text and the path or address of a file; both nil if the table has neither.
    var content: (text: String?, file: String?) {
        let source = source
        guard let text = self[.text] else {
            return (source.text ?? self[.kind].flatMap { Self.words[$0] }, source.file)
        }
        if text.hasPrefix("<"), let kind = self[.kind], kind != "1" {
            return (Self.words[kind] ?? Self.notice(in: text), source.file)
        }
        guard let more = source.text, !text.contains(more) else { return (text, source.file) }
        return ("\(text)\n\(more)", source.file)
    }

    /// True if the table has content as XML, which is left out.
    var hasOmission: Bool { self[.file]?.hasPrefix("<") ?? false }

    /// The content beside the text: the path or address of a file, or the address of a link or forwarded messages as a
    /// further text.
    private var source: (text: String?, file: String?) {
        guard let source = self[.file], !hasOmission else { return (nil, nil) }
        if let path = MediaPath.path(source) { return (nil, path) }
        let isFile = Self.fileKinds.contains { self[.kind]?.contains($0) ?? false }
        let isAddress = source.contains("://") && !source.contains("\n") && source.utf8.count <= ExportText.maximumName
        return isFile && isAddress ? (nil, source) : (source, nil)
    }

    /// Returns the words in a notice of XML: `<![CDATA["小明" 撤回了一条消息]]>`.
    private static func notice(in text: String) -> String {
        let bytes = Array(text.utf8)[...]
        guard let (_, rest) = bytes.parted(by: "<![CDATA["), let (words, _) = rest.parted(by: "]]>") else {
            return text
        }
        return String(decoding: words, as: UTF8.self).trimmedOfBlanks
    }
}
