import Bytes
import ChatModel

/// The file `messages.ndjson` of SMS Import / Export since version 2: a line for each text message and each multimedia
/// message, with Android's columns. The files of messages are beside it, in `data`.
///
/// The keys: github.com/tmo1/sms-ie, README, "(ND)JSON Structure".
package struct SMSExportFormat: LogFormat {
    package static let name = "sms-ie"
    package static let programs = "SMS Import / Export"
    /// 1 MiB: a multimedia message has some kilobytes of text, and some columns for each person and part.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false
    package static let isAlwaysUTF8 = true
    package static let ownerWords = [OwnWord.sender]

    private let givenRoom: String?
    private var people = SMSPeople()
    private var ownNumbers: Set<String> = []
    private var drafts = 0

    /// No phone had more numbers.
    private static let maximumOwnNumbers = 32

    package static func recognises(_ source: LogSource) -> Bool {
        let line = source.beginning.prefix { $0 != Byte.lineFeed }
        guard let json = try? JSONValue(object: LogLine(number: 1, bytes: line), limit: maximumLine) else {
            return false
        }
        return json["_id"] != nil && json["thread_id"] != nil && json["date"] != nil
            && (json["msg_box"] != nil || json["address"] != nil && json["type"] != nil)
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
    }

    package var assumptions: [String] {
        (drafts > 0 ? ["drafts skipped: \(drafts)"] : []) + people.assumptions
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        do throws(UnreadablePiece) {
            let json = try JSONValue(object: line, limit: Self.maximumLine)
            let isMMS = json["msg_box"] != nil
            let box = try SMSBox(json.scalar(isMMS ? "msg_box" : "type")?.text)
            guard box != .draft else {
                drafts += 1
                return .nothing
            }
            return .message(isMMS ? try multimedia(json, box) : try text(json, box))
        } catch {
            return .unreadable(error.reason)
        }
    }

    private mutating func text(_ json: JSONValue, _ box: SMSBox) throws(UnreadablePiece) -> ImportedMessage {
        guard let address = try json.scalar("address")?.id else { throw UnreadablePiece("it has no \"address\"") }
        let name = people.name(of: address, given: try json.text("__display_name"))
        let key = SMSPeople.key(address)
        let text = ExportText(lines: [box.line, try json.text("body")])
        return ImportedMessage(
            room: givenRoom ?? name, roomKey: givenRoom == nil ? key : nil, roomKind: .direct, kind: .message,
            sender: box == .received ? name : OwnWord.sender, senderKey: box == .received ? key : nil,
            body: text.string, time: Timestamp(milliseconds: try Self.date(json)), resolution: .microsecond,
            flags: json.flags.union(text.flags))
    }

    private mutating func multimedia(_ json: JSONValue, _ box: SMSBox) throws(UnreadablePiece) -> ImportedMessage {
        let isOwn = box != .received
        let sender = try json.object("__sender_address").flatMap { json throws(UnreadablePiece) in try person(json) }
        var receivers: [(key: String, name: String)] = []
        for receiver in try json.objects("__recipient_addresses") {
            if let person = try person(receiver) { receivers.append(person) }
        }
        // One's own number is the sender of a sent message, and the receiver of one that only oneself received.
        let own = isOwn ? sender : receivers.count == 1 ? receivers.first : nil
        if let own, ownNumbers.count < Self.maximumOwnNumbers { ownNumbers.insert(own.key) }
        let others = (isOwn ? [] : [sender].compactMap(\.self)) + receivers.filter { !ownNumbers.contains($0.key) }
        let isGroup = receivers.count > 1
        guard let first = others.first ?? receivers.first else { throw UnreadablePiece("it names nobody") }
        let name = isGroup ? ExportText.name(others.map(\.name).joined(separator: ", ")) ?? first.name : first.name
        // The number of the thread, because a received message does not say which receiver is the phone's owner.
        let key = isGroup ? "thread:" + (try json.required("thread_id").scalar().text) : first.key
        let (texts, files) = try parts(of: json)
        let text = ExportText(lines: [box.line, SMSPeople.text(try json.text("sub"))] + texts)
        return ImportedMessage(
            room: givenRoom ?? name, roomKey: givenRoom == nil ? key : nil, roomKind: isGroup ? .group : .direct,
            kind: .message, sender: isOwn ? OwnWord.sender : (sender ?? first).name,
            senderKey: isOwn ? nil : (sender ?? first).key, body: text.string,
            time: Timestamp(seconds: try Self.date(json)), resolution: .second, flags: json.flags.union(text.flags),
            files: files)
    }

    /// Returns the texts and the files of a message. The file's name is the last part of its path in the phone.
    private func parts(of json: JSONValue) throws(UnreadablePiece) -> ([String?], [ImportedMessage.File]) {
        var (texts, files) = ([String?](), [ImportedMessage.File]())
        for part in try json.objects("__parts") {
            let type = try part.text("ct") ?? ""
            guard type != "application/smil" else { continue }
            if type == "text/plain" {
                texts.append(try part.text("text"))
            } else if let file = try part.text("_data")?.split(separator: "/").last {
                files.append(ImportedMessage.File(path: "data/\(file)".withoutNUL))
            } else {
                let name = ExportText.name(try part.text("cl"), try part.text("name"), type) ?? "file"
                files.append(ImportedMessage.File(path: name))
            }
        }
        return (texts, files)
    }

    /// Returns the person of an address; nil for the phone's own, for which Android has a word.
    private mutating func person(_ json: JSONValue) throws(UnreadablePiece) -> (key: String, name: String)? {
        guard let address = try json.scalar("address")?.id, address != "insert-address-token" else { return nil }
        return (SMSPeople.key(address), people.name(of: address, given: try json.text("__display_name")))
    }

    private static func date(_ json: JSONValue) throws(UnreadablePiece) -> Int64 {
        guard let date = try json.required("date").scalar().integer else {
            throw UnreadablePiece("its \"date\" is not a whole number")
        }
        return date
    }
}
