import ChatModel

/// An element of `messages` of Meta's downloads: of Facebook's and Instagram's account data, or of Messenger's
/// encrypted chats, whose keys have other names.
struct MessengerMessage {
    private let json: JSONValue
    /// True for encrypted chats, whose files have the oldest messages first.
    let isEncrypted: Bool
    let sender: String
    /// Milliseconds since 1970.
    let time: Int64
    /// A second in downloads from before August 2018.
    let resolution: TimeResolution

    init(_ json: JSONValue) throws(UnreadablePiece) {
        self.json = json
        let isEarly = json["timestamp_ms"] == nil && json["timestamp"] != nil
        isEncrypted = isEarly && json["sender_name"] == nil
        resolution = isEarly && !isEncrypted ? .second : .microsecond
        guard let time = try json.required(isEarly ? "timestamp" : "timestamp_ms").scalar().integer else {
            throw UnreadablePiece("its time is not a whole number")
        }
        let (milliseconds, isTooLarge) = time.multipliedReportingOverflow(by: resolution == .second ? 1000 : 1)
        guard !isTooLarge else { throw UnreadablePiece("its time is out of range") }
        self.time = milliseconds
        let name = try json.required(isEncrypted ? "senderName" : "sender_name").requiredText()
        guard let sender = ExportText.name(MisreadText.repaired(name)) else {
            throw UnreadablePiece("its sender has no name")
        }
        self.sender = sender
    }

    private func text(_ key: StaticString, in value: JSONValue? = nil) throws(UnreadablePiece) -> String? {
        try (value ?? json).text(key).map(MisreadText.repaired)
    }

    /// The keys whose content is read or left out on purpose.
    private static let knownKeys: Set<String> = [
        "sender_name", "senderName", "timestamp_ms", "timestamp", "content", "text", "type", "users", "call_duration",
        "missed", "share", "photos", "videos", "audio_files", "gifs", "files", "media", "sticker", "reactions",
        "is_unsent", "isUnsent", "ip", "is_geoblocked_for_viewer", "is_unsent_image_by_messenger_kid_parent",
        "is_taken_down", "bumped_message_metadata",
    ]
    private static let knownTypes: Set<String> = ["Generic", "Share", "text", "media"]

    /// Returns the kinds of the content that is not read.
    ///
    /// - Parameter isEmpty: True for a message without text and files.
    func unknownKinds(isEmpty: Bool) throws(UnreadablePiece) -> [String] {
        let keys = json.unknownKeys(besides: Self.knownKeys, isOfParts: !isEmpty)
        guard isEmpty, keys.isEmpty, let type = try json.text("type"), !Self.knownTypes.contains(type) else {
            return keys
        }
        return [type]
    }

    var isUnsent: Bool { get throws(UnreadablePiece) { try json.isTrue(isEncrypted ? "isUnsent" : "is_unsent") } }

    /// The kind and the lines of the text. An event without a kind of its own becomes an action of its sender.
    var kindAndLines: (kind: MessageKind, lines: [String]) {
        get throws(UnreadablePiece) {
            let content = try text(isEncrypted ? "text" : "content") ?? ""
            if isEncrypted { return (.message, [content]) }
            let names = try json.objects("users").map { user throws(UnreadablePiece) in
                ExportText.name(try text("name", in: user)) ?? "?"
            }
            let isAlone = names == [sender]
            let people = [names.joined(separator: ", ")]
            switch try json.text("type") {
            case "Subscribe" where !names.isEmpty: return isAlone ? (.join, []) : (.invite, people)
            case "Unsubscribe" where !names.isEmpty: return isAlone ? (.leave, []) : (.kick, people)
            case "Subscribe", "Unsubscribe": return (.action, [content])
            case "Call": return (.action, [try call(content)])
            default: break
            }
            guard json["call_duration"] == nil else { return (.action, [try call(content)]) }
            return (.message, [content] + (try sharedLines(beside: content)))
        }
    }

    private func call(_ content: String) throws(UnreadablePiece) -> String {
        let words = content.isEmpty ? (try json.isTrue("missed") ? "missed a call" : "called") : content
        guard let seconds = try json.scalar("call_duration")?.integer, seconds > 0 else { return words }
        return "\(words) (\(seconds) seconds)"
    }

    /// Returns the lines of a link or a post that the message shares, without the parts that the content already has.
    private func sharedLines(beside content: String) throws(UnreadablePiece) -> [String] {
        guard let share = try json.object("share") else { return [] }
        let owner = ExportText.name(try text("original_content_owner", in: share))
        let lines = [
            owner.map { "[post of \($0)]" }, try text("share_text", in: share), try text("link", in: share),
        ]
        return lines.compactMap(\.self).filter { !content.contains($0) }
    }

    /// The paths of the files in the download; nil for a file that the download lacks.
    var files: [String?] {
        get throws(UnreadablePiece) {
            var objects: [JSONValue] = []
            for key in ["photos", "videos", "audio_files", "gifs", "files", "media"] as [StaticString] {
                objects += try json.objects(key)
            }
            if let sticker = try json.object("sticker") { objects.append(sticker) }
            return try objects.map { file throws(UnreadablePiece) in
                let path = try text("uri", in: file) ?? ""
                guard !path.isEmpty, path != "Failed to download media" else { return nil }
                return path.hasPrefix("./") ? String(path.dropFirst(2)) : path
            }
        }
    }

    var reactions: [ImportedMessage.Reaction] {
        get throws(UnreadablePiece) {
            try json.objects("reactions").map { reaction throws(UnreadablePiece) in
                let time = try reaction.scalar("timestamp")?.integer
                return ImportedMessage.Reaction(
                    text: ExportText.name(try text("reaction", in: reaction)) ?? "?",
                    user: ExportText.name(try text("actor", in: reaction)) ?? "?",
                    at: time.map(Timestamp.init(seconds:)))
            }
        }
    }
}
