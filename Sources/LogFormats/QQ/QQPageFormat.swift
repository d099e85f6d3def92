import Bytes
import ChatModel

/// The page that QQ's message manager exports (`.mht`): a mail of one HTML page and the pictures in it. The page is a table
/// with a row for each room, day and message. Rows of messages have a sender, a local time and a text.
///
/// The bytes between rows are left out, and so are those of the pictures behind the page, however many there are.
package struct QQPageFormat: LogFormat {
    package static let name = "qq-mht"
    package static let programs = "QQ, TIM (.mht)"
    /// 1 MiB: a message has at most some kilobytes, and a tag around each part of its text.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = true
    package static let hidesOwner = true

    private let givenRoom: String?
    /// The room in the last row of a room.
    private var title: String?
    private var room: String?
    private var isSeveral: Bool
    private var day: CalendarDate?
    private var order: QQOrder
    private var pictures = 0

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        let page = source.beginning[...]
        return page.range(of: "<title>QQ Message</title>") != nil && page.range(of: ">消息对象:") != nil
    }

    package static func cutter() -> any SourceCutter { ElementCutter(["tr"], maximumPiece: maximumLine) }

    package init(_ source: LogSource) {
        givenRoom = source.room?.withoutNUL
        room = givenRoom
        isSeveral = Self.rooms(in: source.beginning).count > 1
        order = QQOrder(source)
    }

    /// Returns the rooms of the rows in a file's beginning.
    private static func rooms(in beginning: [UInt8]) -> Set<String> {
        var cutter = cutter()
        var rooms: Set<String> = []
        cutter.cutLines(beginning[...]) { line in
            if case .room(let room) = QQRow(line.bytes).content { rooms.insert(room) }
        }
        return rooms
    }

    package var hasOwnRooms: Bool { isSeveral }
    package var assumptions: [String] {
        (pictures > 0 ? ["files kept by name only, because their bytes are inside of the page: \(pictures)"] : [])
            + order.assumptions
    }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            try line.requireWholeElement(limit: Self.maximumLine)
            switch QQRow(line.bytes).content {
            case .nothing: return .nothing
            case .unreadable: throw UnreadablePiece("its time can't be read")
            case .group(let named): order.begin(group: named)
            case .room(let named): begin(named)
            case .day(let date): day = date
            case .message(let row):
                var message = try message(row, line.number)
                message.flags.formUnion(LogText(line.bytes).flags)
                return .message(message)
            }
            return .nothing
        } catch {
            return .unreadable(error.reason)
        }
    }

    /// Begins the rows of a room.
    private mutating func begin(_ named: String) {
        if let title, title != named { isSeveral = true }
        let next = isSeveral ? named : givenRoom ?? named
        order.begin(next, named: named)
        (title, room, day) = (named, next, nil)
    }

    private mutating func message(_ row: QQRow.Message, _ line: Int) throws(UnreadablePiece) -> ImportedMessage {
        guard let room else { throw UnreadablePiece("no row before it gives its room; --room does") }
        guard let day else { throw UnreadablePiece("no row before it gives its date") }
        let stamp = LineStamp(date: day, seconds: row.seconds, resolution: .second)
        guard let time = order.settle(stamp, line: line) else { throw UnreadablePiece("its date does not exist") }
        // QQ writes notices without a sender.
        let sender = row.sender.flatMap { $0.isSystem ? nil : $0 }
        let text = ExportText(lines: [row.text])
        pictures += row.pictures.count
        var message = ImportedMessage(
            room: room, roomKind: .group, kind: sender == nil ? .system : .message, sender: sender?.name,
            senderKey: sender?.key, body: text.string, time: time.time, resolution: time.resolution,
            place: time.place, flags: text.flags, files: row.pictures.map { ImportedMessage.File(path: $0) })
        message.section = order.section
        return message
    }
}

/// A row of a page of QQ.
struct QQRow {
    struct Message {
        var sender: QQSender?
        /// The time since midnight.
        var seconds: Int
        var text: String
        /// The names of the pictures in the page, such as `{0A0A0A0A-…}.dat`.
        var pictures: [String]
    }

    enum Content {
        /// The group of the contacts in the rows below.
        case group(String)
        case room(String)
        /// Nil for a date that can't be read.
        case day(CalendarDate?)
        case message(Message)
        /// A message whose time can't be read.
        case unreadable
        case nothing
    }

    /// More than a message can have.
    private static let maximumPictures = 500

    private(set) var content = Content.nothing
    /// The text outside of `div` elements.
    private var plain = ""
    /// The parts of a message: the sender, what stands behind it, and the text.
    private var (sender, head, text) = ("", "", "")
    private var pictures: [String] = []
    /// The number of `div` elements in the row, and of those that are open.
    private var (divisions, depth) = (0, 0)
    /// True in the text of a message.
    private var isInText = false

    init(_ bytes: ArraySlice<UInt8>) {
        var scanner = HTMLScanner(bytes)
        while let token = scanner.next() {
            switch token {
            case .text(let text):
                add(HTMLText(text).string.replacing("&get;", with: ">").replacing("\u{A0}", with: " "))
            case .opening(let tag): open(tag)
            case .closing(let name): if name.elementsEqual("div".utf8), depth > 0 { depth -= 1 }
            }
        }
        content = read()
    }

    private mutating func open(_ tag: HTMLTag) {
        if tag.isNamed("div") {
            if depth == 0, divisions > 0 { isInText = true }
            (divisions, depth) = (divisions + 1, depth + 1)
        } else if tag.isNamed("br") || tag.isNamed("BR") {
            if isInText { text += "\n" }
        } else if tag.isNamed("IMG") || tag.isNamed("img"), isInText, pictures.count < Self.maximumPictures,
            let name = ExportText.name(tag.attribute("src"))
        {
            pictures.append(name)
        }
    }

    private mutating func add(_ words: String) {
        if isInText {
            text += words
        } else if depth == 0 {
            plain += words
        } else if depth == 1 {
            head += words
        } else {
            sender += words
        }
    }

    private func read() -> Content {
        if divisions == 0 {
            guard let date = Array(plain.trimmedOfBlanks.utf8)[...].after("日期:")?.trimmed else { return .nothing }
            var scanner = ByteScanner(date)
            return .day(QQTime.date(&scanner).flatMap { scanner.rest.isBlank ? $0 : nil })
        }
        if divisions == 1 {
            let words = Array(head.trimmedOfBlanks.utf8)[...]
            return QQHead.value(words, of: "消息对象").map { .room($0) }
                ?? QQHead.value(words, of: "消息分组").map { .group($0) } ?? .nothing
        }
        var scanner = ByteScanner(Array(head.trimmedOfBlanks.utf8)[...])
        guard let seconds = QQTime.clock(&scanner), scanner.rest.isBlank else { return .unreadable }
        return .message(
            Message(
                sender: QQSender(Array(sender.utf8)[...]), seconds: seconds, text: text.trimmedOfBlanks,
                pictures: pictures))
    }
}
