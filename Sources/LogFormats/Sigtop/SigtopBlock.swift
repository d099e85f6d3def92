import Bytes
import ChatModel

/// A message in a text of sigtop: lines such as `From: bob`, an empty line, and the text. Quoted lines begin with `>`,
/// and those of an edited message's versions with `|`.
struct SigtopBlock {
    let line: LogLine
    private(set) var isOwn = false
    private(set) var sender: SigtopName?
    private(set) var type = ""
    private(set) var sent: Timestamp?
    private(set) var files: [String] = []
    private var isInText = false
    private var held: HeldText?
    /// The versions, the newest first.
    private var edits: [(at: Timestamp?, text: HeldText?)] = []
    private var wasBlank = false

    /// More versions than Signal allows (10).
    private static let maximumEdits = 64

    init(_ line: LogLine) {
        self.line = line
        readField(line.bytes)
    }

    /// Returns true for a line with which a message may begin.
    static func mayBegin(_ line: ArraySlice<UInt8>) -> Bool {
        line.starts(with: "From: ") || line.starts(with: "Type: ")
    }

    /// Returns true if two lines begin a message. A text may have either of them alone.
    static func isBeginning(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
        first.starts(with: "From: ")
            ? second.starts(with: "Type: ")
            : ["Sent: ", "Received: "].contains { second.starts(with: $0) }
    }

    /// True after an empty line, as another message may only begin there.
    var mayEnd: Bool { wasBlank }

    mutating func add(_ line: LogLine) {
        wasBlank = line.bytes.isEmpty
        guard isInText else {
            if line.bytes.isEmpty { isInText = true } else { readField(line.bytes) }
            return
        }
        if line.bytes.first == UInt8(ascii: "|"), !edits.isEmpty || line.bytes.starts(with: "| Version: ") {
            addEdit(line.bytes.dropFirst(), isCut: line.isCut)
        } else if line.bytes.first == UInt8(ascii: ">"), Self.isField(line.bytes.dropFirst(2)) {
            // The quoted message's author and time.
        } else if held == nil {
            if !line.bytes.isEmpty { held = HeldText(line.bytes, isCut: line.isCut) }
        } else {
            held?.append(line.bytes, isCut: line.isCut)
        }
    }

    private static func isField(_ line: ArraySlice<UInt8>) -> Bool {
        line.isEmpty || ["From: ", "Sent: ", "Attachment: "].contains { line.starts(with: $0) }
    }

    private mutating func readField(_ line: ArraySlice<UInt8>) {
        if let name = line.after("From: ") {
            isOwn = name.elementsEqual("You".utf8)
            sender = isOwn ? nil : SigtopName(LogText(name).string)
        } else if let type = line.after("Type: ") {
            self.type = LogText(type).string
            isOwn = isOwn || self.type == "outgoing"
        } else if let time = line.after("Sent: ") {
            sent = Self.time(time)
        } else if let time = line.after("Received: ") {
            sent = sent ?? Self.time(time)
        } else if let file = line.after("Attachment: ") {
            files.append(SigtopName(LogText(file).string).name)
        }
    }

    private mutating func addEdit(_ line: ArraySlice<UInt8>, isCut: Bool) {
        let text = line.dropFirst()
        if text.starts(with: "Version: ") {
            if edits.count < Self.maximumEdits { edits.append((nil, nil)) }
        } else if var edit = edits.popLast() {
            if edit.text == nil, let time = text.after("Sent: ") {
                edit.at = Self.time(time)
            } else if edit.text == nil {
                if !text.isEmpty, !text.starts(with: "Attachment: ") { edit.text = HeldText(text, isCut: isCut) }
            } else {
                edit.text?.append(text, isCut: isCut)
            }
            edits.append(edit)
        }
    }

    /// Reads `Sat, 21 Nov 2026 06:23:11 +0000`.
    private static func time(_ text: ArraySlice<UInt8>) -> Timestamp? {
        var scanner = ByteScanner(text)
        guard scanner.weekdayName() != nil, scanner.take(", "), let date = scanner.namedMonthDate(), scanner.take(" "),
            let clock = scanner.clock(), scanner.take(" "), let offset = scanner.offset(), scanner.rest.isEmpty
        else { return nil }
        return LocalDay(date, zone: .gmt)?.instants(of: clock.seconds - offset).first
    }

    private var whole: HeldText? { edits.first?.text ?? held }
    var text: String? { whole.map { LogText($0.whole).string } }
    var flags: MessageFlags { whole.map { LogText($0.whole).flags.union($0.isCut ? .oversize : []) } ?? [] }
    var editedAt: Timestamp? { edits.count > 1 ? edits.first?.at : nil }

    /// The earlier texts in order of time.
    var versions: [ImportedMessage.Version] {
        edits.dropFirst().reversed().compactMap { edit in
            edit.at.map { ImportedMessage.Version(at: $0, body: edit.text.map { LogText($0.whole).string }) }
        }
    }
}
