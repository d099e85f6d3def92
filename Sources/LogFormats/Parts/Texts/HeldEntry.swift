import ChatModel

/// A line with a time, and the lines without one that continue its text.
struct HeldEntry<Content: Sendable>: Sendable {
    let line: LogLine
    /// Nil if the line's date does not exist.
    private let time: LineTime?
    let content: Content
    private var text: HeldText

    /// - Parameter text: The part of the line's text that may continue.
    init(_ line: LogLine, at time: LineTime?, _ content: Content, _ text: ArraySlice<UInt8>) {
        (self.line, self.time, self.content) = (line, time, content)
        self.text = HeldText(text, isCut: false)
    }

    mutating func append(_ more: ArraySlice<UInt8>) { text.append(more, isCut: false) }

    /// Returns the message of the whole text.
    ///
    /// - Parameters:
    ///   - maximum: The limit of a line in bytes.
    ///   - read: Reads the whole text; nil for one that is no message.
    func message(in room: IRCLog.Room, maximum: Int, _ read: (ArraySlice<UInt8>) -> IRCLine?) -> ParsedLine {
        if line.isCut { return .unreadable("longer than \(maximum) bytes") }
        guard let time else { return .unreadable("its date does not exist") }
        guard let content = read(text.whole) else { return .nothing }
        var message = content.message(in: room, at: time)
        if text.isCut { message.flags.insert(.oversize) }
        return .message(message)
    }
}

extension ParsedLine {
    /// The result for a line without a time that continues nothing.
    static let continuesNothing = ParsedLine.unreadable("it has no time and continues no earlier message")
}
