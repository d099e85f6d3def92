package import ChatModel

/// The state of a file, in words.
package enum AttachmentText {
    package static func state(_ file: Attachment) -> String {
        switch file.state {
        case .missing: "not fetched"
        case .fetched: "here"
        case .failed: "failed"
        case .tooLarge: "too large"
        case .gone: "gone"
        case .otherServer: isAddress(file.path) ? otherServer : "not in the export"
        case .expired: "expired (removed by a rule)"
        }
    }

    private static let otherServer = "only its address (on another server)"

    /// Returns false for the name of a file within an export, which has no scheme and no leading slash.
    private static func isAddress(_ path: String) -> Bool { path.hasPrefix("/") || path.contains("://") }

    /// Returns `yes` for an archived picture, the state of another one, and nothing for none.
    static func state(_ picture: Picture?) -> String {
        picture.map { $0.file.state == .fetched ? "yes" : state($0.file) } ?? ""
    }

    /// Returns the place of a picture with its state: `/a.png, not fetched`.
    static func place(_ picture: Picture) -> String {
        let state = picture.file.sha256.map { "archived as \($0)" } ?? state(picture.file)
        return "\(Sanitizer.line(picture.file.path)), \(state)"
    }

    /// Returns the place of a picture that could not be fetched, with the reason.
    package static func failure(of picture: Picture, _ error: String?) -> String {
        "\(Sanitizer.line(picture.file.path)): \(state(picture.file))"
            + (error.map { ": \(Sanitizer.line($0))" } ?? "")
    }

    /// Returns the state with its error: `failed: the server does not answer in time`.
    package static func state(_ stored: StoredAttachment) -> String {
        // Only a listener tries.
        let isTried = stored.attachment.state == .otherServer && stored.triedAt != nil
        let state = isTried ? otherServer : state(stored.attachment)
        return stored.error.map { "\(state): \($0)" } ?? state
    }

    /// Returns a count such as `1 file` or `1,203 files`.
    package static func files(_ count: Int) -> String {
        count == 1 ? "1 file" : "\(count.grouped) files"
    }
}

extension StoredAttachment {
    /// The columns and keys of `scrollback attachments`.
    package static func listing(time: LocalTime) -> Listing<StoredAttachment> {
        Listing(
            name: "attachments",
            columns: [
                Column(heading: "SENT") { time.dayAndSecond($0.message.time) },
                Column(heading: "ROOM") { "\($0.account)/\($0.room)" },
                Column(heading: "FROM") { $0.sender ?? "-" },
                Column(heading: "KIND", isMoved: true) { $0.attachment.kind.rawValue },
                Column(heading: "NAME") { $0.attachment.name },
                Column(heading: "SIZE", alignment: .right) { $0.attachment.size.map { "\(ByteCount($0))" } ?? "-" },
                Column(heading: "STATE", isMoved: true) { AttachmentText.state($0) },
                Column(heading: "FILE", isShownEmpty: false, isMoved: true) { $0.file ?? "" },
            ],
            keys: [
                "message", "account", "network", "room", "sender", "path", "name", "kind", "bytes", "sha256", "state",
                "error", "attempts", "tried_at", "next_try", "file",
            ],
            json: { JSONValue($0) })
    }
}

extension StoredAttachment: JSONRepresentable {
    package var jsonValue: JSONValue {
        .object(
            JSONValue.object([
                "message": JSONValue(message),
                "account": .string(account),
                "network": .string(network),
                "room": .string(room),
                "sender": JSONValue(sender),
            ]).members + JSONValue(attachment).members
                + JSONValue.object([
                    "error": JSONValue(error),
                    "attempts": .number(Int64(attempts)),
                    "tried_at": JSONValue(triedAt),
                    "next_try": JSONValue(nextTry),
                    "file": JSONValue(file),
                ]).members)
    }
}
