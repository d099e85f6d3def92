import Bytes
import ChatModel

/// The sender of a message of qq-chat-exporter.
struct QQExportedSender {
    /// Nil for QQ itself.
    let name: String?
    /// The number of the account, else its id.
    let key: String?

    /// The id that the program writes for a sender without one.
    private static let unknownID = "未知"

    init(_ json: JSONValue?) throws(UnreadablePiece) {
        let number = try json?.scalar("uin")?.id.flatMap { $0 == "0" ? nil : $0 }
        let id = try json?.scalar("uid")?.id
        key = (number ?? (id == Self.unknownID ? nil : id)).flatMap { ExportText.name($0) }
        // The sender of notices has a name, too.
        name = key == nil && id == Self.unknownID ? nil : ExportText.name(try json?.text("name"), key)
    }
}

/// The content of a message of qq-chat-exporter: its text and files, and the answered message.
///
/// In the text, the program writes each file as `[图片:a.jpg]`, and an answer begins with `[回复消息]`.
struct QQExportedContent {
    private(set) var text: String?
    private(set) var files: [ImportedMessage.File] = []
    /// The number of files of which the export has only the name.
    private(set) var missingFiles = 0
    private(set) var replyTo: String?
    /// The name of the first element; nil if there is none.
    private(set) var kind: String?

    /// More than a message can have.
    private static let maximumFiles = 100

    /// - Parameter hasNotice: True for a notice of QQ, whose text has no marks.
    init(_ json: JSONValue?, hasNotice: Bool) throws(UnreadablePiece) {
        let elements = try json?.objects("elements") ?? []
        kind = try elements.first?.text("type")
        replyTo = try json?.object("reply")?.scalar("referencedMessageId")?.id
        for element in elements {
            guard replyTo == nil, try element.text("type") == "reply" else { continue }
            replyTo = try element.object("data")?.scalar("referencedMessageId")?.id
        }
        var words = try json?.text("text") ?? ""
        let resources = try json?.objects("resources") ?? []
        var shown: [String] = []
        for resource in resources.prefix(Self.maximumFiles) {
            let name = ExportText.name(try resource.text("filename"), try resource.text("fileName"))
            let file = try Self.file(resource, name: name)
            if !file.path.contains("/"), file.copies == nil { missingFiles += 1 }
            files.append(file)
            if let name, Attachment(path: file.path).name == name { shown.append(name) }
        }
        if !hasNotice, !shown.isEmpty { words = Self.text(words, withoutMarksOf: shown) }
        if replyTo != nil, words.hasPrefix(Self.replyMark) { words.removeFirst(Self.replyMark.count) }
        text = words.trimmedOfBlanks
    }

    private static let replyMark = "[回复消息]"

    /// Returns a file by the address from which QQ has it, else by its path in the export, else by its name. An address
    /// without a host leads nowhere.
    private static func file(
        _ json: JSONValue, name: String?
    ) throws(UnreadablePiece) -> ImportedMessage.File {
        let urls = [try json.text("url"), try json.text("originalUrl")].compactMap(\.self)
        let address = ExportText.name(urls.first { $0.contains("://") || $0.hasPrefix("resources/") })
        let path = ExportText.name(try json.text("localPath"))
        // The path of a version that did not copy the file leads to QQ's own folders.
        let copy = path.flatMap { path in
            path.hasPrefix("/") || path.contains("\\") || path.contains(":") ? nil : "resources/" + path
        }
        let type = try json.text("type") ?? "file"
        return ImportedMessage.File(
            path: address ?? copy ?? name ?? type, size: try json.scalar("size")?.integer.flatMap { $0 > 0 ? $0 : nil },
            copies: address == nil ? nil : copy.map { [$0] })
    }

    private static let marks = ["图片", "文件", "视频", "语音"].map { "[\($0):" }
    /// The limit of marks in a text, more than a message can have.
    private static let maximumMarks = 10_000

    /// Removes `[图片:NAME]` once for each name. A name that the file's path has not stays in the text.
    private static func text(_ text: String, withoutMarksOf names: [String]) -> String {
        var rest = Array(text.utf8)[...]
        var (kept, marks) = ([UInt8](), 0)
        var remaining = names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        while marks < maximumMarks, let start = rest.firstIndex(of: Byte.listStart) {
            kept += rest[..<start]
            rest = rest[start...]
            marks += 1
            if let (name, after) = mark(beginning: rest, of: remaining) {
                remaining[name] = (remaining[name] ?? 0) - 1
                rest = after
            } else {
                kept.append(Byte.listStart)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: kept + rest, as: UTF8.self)
    }

    /// Returns the name in the mark at the beginning of a text, and the text after the mark; nil if there is none.
    ///
    /// - Parameter names: The names, with the number of marks of each that remain.
    private static func mark(
        beginning text: ArraySlice<UInt8>, of names: [String: Int]
    ) -> (name: String, after: ArraySlice<UInt8>)? {
        guard let mark = marks.lazy.compactMap({ text.after($0) }).first else { return nil }
        let rest = mark.first == Byte.space ? mark.dropFirst() : mark
        guard let end = rest.prefix(ExportText.maximumName + 1).firstIndex(of: Byte.listEnd) else { return nil }
        // A name may have one pair of brackets.
        let second = rest[(end + 1)...].prefix(ExportText.maximumName).firstIndex(of: Byte.listEnd)
        for end in [end, second].compactMap(\.self) {
            let name = String(decoding: rest[..<end], as: UTF8.self)
            if names[name] ?? 0 > 0 { return (name, rest[(end + 1)...]) }
        }
        return nil
    }
}
