import ChatModel

/// The content of a message of a backup, by its type.
///
/// The types that are not text have their content as JSON in the body: a list, or a number with an object.
struct ThreemaContent {
    private(set) var kind = MessageKind.message
    private(set) var lines: [String?] = []
    private(set) var file: ImportedMessage.File?
    /// The identity of the person whom an event is about; nil for other messages.
    private(set) var actor: String?
    /// The name of a type that is not known; nil for the others.
    private(set) var unknownType: String?
    /// True for an event that says nothing about the chat.
    private(set) var saysNothing = false

    private let row: ThreemaRow
    private let table: ThreemaTable

    /// - Throws: ``UnreadablePiece`` for a body that is not of its type.
    init(_ row: ThreemaRow, of table: ThreemaTable, _ directory: ThreemaDirectory) throws(UnreadablePiece) {
        (self.row, self.table) = (row, table)
        switch row["type"] ?? "TEXT" {
        case "TEXT", "CONTACT": lines = [row["body"].map(directory.withNames)]
        case "STATUS": (kind, lines) = (.system, [row["body"]])
        case "FILE": try readFile(directory)
        case "IMAGE": setFile(named: nil, type: "image", directory)
        case "VIDEO": setFile(named: nil, type: "video", directory)
        case "VOICEMESSAGE": setFile(named: nil, type: "voice message", directory)
        case "LOCATION": try readPlace()
        case "BALLOT": try readPoll(directory)
        case "VOIP_STATUS": try readCall()
        case "GROUP_CALL_STATUS": try readGroupCall()
        case "GROUP_STATUS": try readGroupEvent(directory)
        case "FORWARD_SECURITY_STATUS", "DATE_SEPARATOR": saysNothing = true
        case let type: unknownType = type
        }
        if row.isTrue("isstatusmessage"), kind == .message { kind = .system }
    }

    // MARK: - Bodies

    /// Returns the values in the body, nil for those that are null; nil for a message without a body, such as a deleted one.
    private func values() throws(UnreadablePiece) -> [JSONValue?]? {
        guard let body = row["body"] else { return nil }
        let line = LogLine(number: 1, bytes: Array(body.utf8)[...])
        return try JSONValue(line, limit: ThreemaFormat.maximumLine).allElements()
    }

    /// Returns the object in the body of an event; nil for a message without a body.
    private func details() throws(UnreadablePiece) -> JSONValue? {
        guard let values = try values() else { return nil }
        guard values.count > 1, let details = values[1], details.isObject else {
            throw UnreadablePiece("its body has no details")
        }
        return details
    }

    private static func text(_ values: [JSONValue?], _ index: Int) -> String? {
        values.indices.contains(index) ? values[index]?.text : nil
    }

    /// - Parameter type: What the file is called if it has no name.
    private mutating func setFile(
        named name: String?, type: String, _ directory: ThreemaDirectory, caption: String? = nil
    ) {
        lines = [(caption ?? row["caption"]).map(directory.withNames)]
        let shown = name?.split { $0 == "/" || $0 == "\\" }.last.map(String.init)
        let path = ExportText.name(row["uid"]).map { table.mediaPrefix + $0 }
        // A name may be that of a file of the backup, which has no ending or is a table.
        let isSafe = shown.map { $0.contains(".") && !$0.hasSuffix(".csv") } ?? false
        file = ImportedMessage.File(
            path: (isSafe ? ExportText.name(shown) : name == nil ? nil : path) ?? type, copies: path.map { [$0] })
    }

    /// The body is a list: an id, a key, the type, the size, the name, how it is shown, whether it is here, the caption.
    private mutating func readFile(_ directory: ThreemaDirectory) throws(UnreadablePiece) {
        guard let values = try values() else { return }
        guard values.count > 4 else { throw UnreadablePiece("its body is not that of a file") }
        let caption = Self.text(values, 7).flatMap { $0.isEmpty ? nil : $0 }
        let name = Self.text(values, 4).flatMap { $0.isEmpty ? nil : $0 }
        let type = Self.text(values, 2)?.split(separator: "/").first.map(String.init) ?? ""
        let isShown = ["image", "video", "audio"].contains(type)
        setFile(named: name, type: isShown ? type : "file", directory, caption: caption)
        if let size = try values[3]?.scalar().integer, size > 0 { file?.size = size }
    }

    /// The body is a list: latitude, longitude, accuracy, address, name.
    private mutating func readPlace() throws(UnreadablePiece) {
        guard let values = try values() else { return }
        guard values.count > 1, let latitude = values[0]?.number, let longitude = values[1]?.number else {
            throw UnreadablePiece("its body is not that of a place")
        }
        lines = [Self.text(values, 4), Self.text(values, 3), "\(latitude), \(longitude)"]
    }

    /// The body is a list: what happened, and the poll's number.
    private mutating func readPoll(_ directory: ThreemaDirectory) throws(UnreadablePiece) {
        guard let values = try values() else { return }
        guard values.count > 1, let event = try values[0]?.scalar().integer, let number = try values[1]?.scalar().text
        else {
            throw UnreadablePiece("its body is not that of a poll")
        }
        let poll = directory.poll(number)
        if event == Self.closedPoll {
            (kind, lines) = (.action, ["ended the poll" + (poll.map { ": \($0.name)" } ?? "")])
        } else {
            lines = [poll?.name ?? "[poll]"] + (poll?.choices ?? []).map { "- \($0)" }
        }
    }

    private static let closedPoll: Int64 = 3

    // MARK: - Events

    private mutating func readCall() throws(UnreadablePiece) {
        kind = .action
        guard let details = try details() else { return lines = ["called"] }
        let seconds = try details.scalar("duration")?.integer ?? 0
        switch try details.scalar("status")?.integer {
        case 1: lines = ["called: missed"]
        case 3: lines = ["called: rejected"]
        case 4: lines = ["called: aborted"]
        default: lines = [seconds > 0 ? "called (\(seconds) seconds)" : "called"]
        }
    }

    private mutating func readGroupCall() throws(UnreadablePiece) {
        let details = try details()
        guard try details?.scalar("status")?.integer == 1 else {
            (kind, lines) = (.system, ["the call ended"])
            return
        }
        (kind, lines, actor) = (.action, ["called"], ExportText.name(try details?.text("callerIdentity")))
    }

    private mutating func readGroupEvent(_ directory: ThreemaDirectory) throws(UnreadablePiece) {
        kind = .system
        guard let details = try details() else { return saysNothing = true }
        let person = ExportText.name(try details.text("identity"))
        let name = person.map { directory.person($0).name } ?? "a member"
        let poll = try details.text("ballotName").map { ": \($0)" } ?? ""
        switch try details.scalar("status")?.integer {
        case 0: lines = ["the group was created"]
        case 1: lines = ["the group was renamed to \(try details.text("newGroupName") ?? "?")"]
        case 2: lines = ["the group has a new picture"]
        case 3:
            (kind, actor, lines) = (
                person == nil ? .system : .join, person, person == nil ? ["a member was added"] : []
            )
        case 4:
            (kind, actor, lines) = (person == nil ? .system : .leave, person, person == nil ? ["a member left"] : [])
        case 5: lines = ["\(name) was removed"]
        case 8: lines = ["\(name) voted\(poll)"]
        case 9: lines = ["\(name) changed a vote\(poll)"]
        case 10: lines = ["a vote came in\(poll)"]
        case 11: lines = ["all have voted\(poll)"]
        case 12: lines = ["the group has a new description"]
        case 13: lines = ["the group's creator left"]
        case 6, 7: saysNothing = true
        case let status: unknownType = "GROUP_STATUS \(status ?? -1)"
        }
    }
}
