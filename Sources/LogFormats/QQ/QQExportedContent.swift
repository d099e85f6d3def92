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
        let id = try json?.scalar("uid")?.id.flatMap { $0 == Self.unknownID ? nil : $0 }
        key = (number ?? id).flatMap { ExportText.name($0) }
        name = key == nil ? nil : ExportText.name(try json?.text("name"), key)
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
        for resource in resources.prefix(Self.maximumFiles) {
            let name = ExportText.name(try resource.text("filename"), try resource.text("fileName"))
            let file = try Self.file(resource, name: name)
            if !file.path.contains("/"), file.copies == nil { missingFiles += 1 }
            files.append(file)
            if let name, !hasNotice { Self.removeMark(of: name, from: &words) }
        }
        if replyTo != nil, words.hasPrefix(Self.replyMark) { words.removeFirst(Self.replyMark.count) }
        text = words.trimmedOfBlanks
    }

    private static let replyMark = "[回复消息]"

    /// Returns a file by the address from which QQ has it, else by its path in the export, else by its name.
    private static func file(
        _ json: JSONValue, name: String?
    ) throws(UnreadablePiece) -> ImportedMessage.File {
        let address = ExportText.name(try json.text("url"), try json.text("originalUrl"))
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

    /// Removes `[图片:NAME]` once.
    private static func removeMark(of name: String, from text: inout String) {
        for word in ["图片", "文件", "视频", "语音"] {
            for mark in ["[\(word):\(name)]", "[\(word): \(name)]"] {
                guard let range = text.firstRange(of: mark) else { continue }
                text.removeSubrange(range)
                return
            }
        }
    }
}
