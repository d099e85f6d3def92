import Bytes
import ChatModel

/// The XML of SMS Backup & Restore (`sms-….xml`, `calls-….xml`), which Silence and early versions of Signal write, too:
/// a phone's text messages, multimedia messages and calls.
///
/// Its fields: synctech.com.au/sms-backup-restore/fields-in-xml-backup-files. The files of messages are in attributes
/// `data`, in Base64, and make a backup of some hundred megabytes. They are never held.
package struct SMSBackupFormat: LogFormat {
    package static let name = "sms-backup"
    package static let programs = "SMS Backup & Restore, Silence (XML)"
    /// 1 MiB without the files: a multimedia message has some kilobytes of text, and an element for each person.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false
    package static let ownerWords = [OwnWord.sender]

    private let givenRoom: String?
    private var people = SMSPeople()
    private var drafts = 0
    private var files = 0

    package static func recognises(_ source: LogSource) -> Bool {
        guard let root = HTMLTag(rootOf: source.beginning) else { return false }
        return root.isNamed("smses") || root.isNamed("calls") && source.beginning[...].range(of: "<call ") != nil
    }

    package static func cutter() -> any SourceCutter {
        ElementCutter(
            ["sms", "mms", "call"], in: ["smses", "calls", "allsms"], without: "data", maximumPiece: maximumLine)
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
    }

    package var assumptions: [String] {
        (drafts > 0 ? ["drafts skipped: \(drafts)"] : [])
            + (files > 0 ? ["files kept by name only, because their bytes are inside of the backup: \(files)"] : [])
            + people.assumptions
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            try line.requireWholeElement(limit: Self.maximumLine)
            let element = try SMSElement(line.bytes)
            let message = line.place == "call" ? try call(element) : try message(element, isMMS: line.place == "mms")
            guard var message else { return .nothing }
            message.flags.formUnion(LogText(line.bytes).flags)
            return .message(message)
        } catch {
            return .unreadable(error.reason)
        }
    }

    /// Returns nil for a draft.
    private mutating func message(_ element: SMSElement, isMMS: Bool) throws(UnreadablePiece) -> ImportedMessage? {
        let box = try SMSBox(element.attribute(isMMS ? "msg_box" : "type"))
        guard box != .draft else {
            drafts += 1
            return nil
        }
        let isOwn = box != .received
        var imported = try blank(element, address: element.required("address"), isOwn: isOwn)
        if isMMS, !isOwn, let sender = element.sender {
            let isAlone = imported.roomKind == .direct
            imported.sender = people.name(of: sender, given: isAlone ? element.attribute("contact_name") : nil)
            imported.senderKey = SMSPeople.key(sender)
        }
        let subject = SMSPeople.text(element.attribute(isMMS ? "sub" : "subject"))
        let text = ExportText(lines: [box.line, subject] + (isMMS ? element.texts : [element.attribute("body")]))
        (imported.body, imported.flags) = (text.string, text.flags)
        imported.files = element.files.map { ImportedMessage.File(path: $0.withoutNUL) }
        files += imported.files.count
        return imported
    }

    private mutating func call(_ element: SMSElement) throws(UnreadablePiece) -> ImportedMessage {
        let number = try element.required("number")
        let type = try element.required("type")
        let isHidden = number.isEmpty || number.hasPrefix("-")
        var imported = try blank(element, address: isHidden ? "unknown number" : number, isOwn: type == "2")
        imported.kind = .action
        let seconds = element.attribute("duration").flatMap(Int64.init) ?? 0
        imported.body =
            switch type {
            case "3": "called: missed"
            case "4": "called: voicemail"
            case "5": "called: rejected"
            case "6": "called: blocked"
            default: "called" + (seconds > 0 ? " (\(seconds) seconds)" : "")
            }
        return imported
    }

    /// Returns a message with its room, its time, and the sender of a conversation of two.
    ///
    /// - Parameter address: The number of the other person; in a group, all numbers with `~` between them.
    private mutating func blank(
        _ element: SMSElement, address: String, isOwn: Bool
    ) throws(UnreadablePiece) -> ImportedMessage {
        guard let date = Int64(try element.required("date")) else {
            throw UnreadablePiece("its \"date\" is not a whole number")
        }
        let numbers = address.split(separator: "~").map(String.init)
        guard let first = numbers.first else { throw UnreadablePiece("its \"address\" is empty") }
        let contact = SMSPeople.text(element.attribute("contact_name"))
        let isGroup = numbers.count > 1
        let name =
            isGroup
            ? ExportText.name(contact, numbers.map { people.name(of: $0) }.joined(separator: ", ")) ?? "group"
            : people.name(of: first, given: contact)
        let key = Set(numbers.map(SMSPeople.key)).sorted().joined(separator: "~")
        return ImportedMessage(
            room: givenRoom ?? name, roomKey: givenRoom == nil ? key : nil, roomKind: isGroup ? .group : .direct,
            kind: .message, sender: isOwn ? OwnWord.sender : isGroup ? people.name(of: first) : name,
            senderKey: isOwn ? nil : SMSPeople.key(first), body: nil, time: Timestamp(milliseconds: date),
            resolution: .microsecond)
    }
}
