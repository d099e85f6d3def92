import Bytes
import ChatModel

/// A line with a time, of text or of a page.
struct PidginEntry {
    let time: LocaleTime
    /// The text after the time; on a page, without a name that stands apart.
    let text: [UInt8]
    /// The name that a page has apart from the text; nil in text, and for the program's own messages.
    private let name: [UInt8]?
    private let isAction: Bool
    /// True for the program's own message on a page, which nobody can write.
    private let isSystem: Bool
    /// True for a message of the account's own person, which a page shows by its colour.
    let isOwn: Bool

    /// The limit of bytes of a time, of the tag before it, and of a name.
    private static let maximumTag = 200

    static func isPage(_ beginning: [UInt8]) -> Bool {
        IRCLog.eachLine(of: beginning).first { _ in true }?.first == UInt8(ascii: "<")
    }

    /// Reads `(06:23:11) alice: hi` or, on a page, `<font color="#A82F2F"><font size="2">(06:23:11)</font> <b>alice:</b></font>
    /// hi<br/>`, also with `span` for `font`. Nil for another line.
    init?(_ line: ArraySlice<UInt8>, isPage: Bool) {
        if let logged = Self.logged(line) {
            (time, text) = logged
            (name, isAction, isSystem, isOwn) = (nil, false, true, false)
            return
        }
        var rest = line
        if isPage {
            while let tag = Self.takeTag(&rest) { guard Self.isStyle(tag) else { return nil } }
        }
        guard rest.first == UInt8(ascii: "("), let end = rest.prefix(Self.maximumTag).firstIndex(of: UInt8(ascii: ")")),
            let time = LocaleTime(rest[(rest.startIndex + 1)..<end])
        else { return nil }
        self.time = time
        let style = line[..<rest.startIndex]
        rest = rest[(end + 1)...]
        guard isPage else {
            guard rest.isEmpty || rest.first == Byte.space else { return nil }
            (text, name, isAction, isSystem, isOwn) = (Array(rest.dropFirst()), nil, false, false, false)
            return
        }
        isOwn = style.range(of: "#16569E") != nil
        while Self.takeTag(&rest, ifClosing: true) != nil {}
        guard let (bold, after) = Self.bold(rest) else {
            (text, name, isAction, isSystem) = (Self.text(rest.trimmed), nil, false, true)
            return
        }
        let words = Self.text(bold)[...].trimmed
        let body = Self.text(after.first == Byte.space ? after.dropFirst() : after)
        if let actor = words.after("***") {
            (text, name, isAction, isSystem) = (body, Array(actor), true, false)
        } else if words.last == Byte.colon, rest.first == Byte.space || !body.isEmpty {
            (text, name, isAction, isSystem) = (body, Array(words.dropLast()), false, false)
        } else {
            (text, name, isAction, isSystem) = (Array(words), nil, false, true)
        }
    }

    /// Reads `---- +++ alice@irc.example.net signed on @ 11/21/26 06:23:11 ----` of the log of an account.
    private static func logged(_ line: ArraySlice<UInt8>) -> (LocaleTime, [UInt8])? {
        let line = line.after("---- ").map { $0.unwrapped("", "<br>").unwrapped("", "<br/>") }
        guard let line, line.suffix(5).elementsEqual(" ----".utf8), let at = line.lastRange(of: " @ "),
            let time = LocaleTime(line[at.upperBound...].dropLast(5))
        else { return nil }
        return (time, Array(line[..<at.lowerBound]))
    }

    // MARK: - Pages

    /// Takes a tag at the beginning, and returns it without its brackets.
    private static func takeTag(_ rest: inout ArraySlice<UInt8>, ifClosing: Bool = false) -> ArraySlice<UInt8>? {
        guard rest.first == UInt8(ascii: "<"), let end = rest.prefix(maximumTag).firstIndex(of: UInt8(ascii: ">"))
        else {
            return nil
        }
        let tag = rest[(rest.startIndex + 1)..<end]
        guard !ifClosing || tag.first == Byte.slash else { return nil }
        rest = rest[(end + 1)...]
        return tag
    }

    private static func isStyle(_ tag: ArraySlice<UInt8>) -> Bool {
        tag.starts(with: "span ") || tag.starts(with: "font ")
    }

    /// Returns the bold text at the beginning, and the text after it and the tags that end there. The bold text may
    /// continue on the next line.
    private static func bold(_ rest: ArraySlice<UInt8>) -> (bold: ArraySlice<UInt8>, after: ArraySlice<UInt8>)? {
        guard let bold = rest.drop(while: { $0 == Byte.space }).after("<b>") else { return nil }
        guard let (words, after) = bold.parted(by: "</b>") else { return (bold, []) }
        var rest = after
        while takeTag(&rest, ifClosing: true) != nil {}
        return (words, rest)
    }

    /// Returns true for a line that frames a page: its head, its title, and its end.
    static func isFrame(_ line: ArraySlice<UInt8>) -> Bool {
        ["<!DOCTYPE", "<html", "<h1", "<h3", "</p>", "</body>", "</html>"].contains { line.starts(with: $0) }
    }

    /// Returns the text of HTML, without the break at its end. Words that lead to another address are followed by the
    /// address in parentheses.
    static func text(_ html: ArraySlice<UInt8>) -> [UInt8] {
        let html = html.unwrapped("", "<br>").unwrapped("", "<br/>").unwrapped("", "<br />")
        guard html.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return Array(html) }
        var (text, scanner) = ([UInt8](), HTMLScanner(html))
        var link: (address: String, start: Int)?
        while let token = scanner.next() {
            switch token {
            case .text(let words): text += HTMLText(words).bytes
            case .opening(let tag) where tag.isNamed("br"): text.append(Byte.lineFeed)
            case .opening(let tag) where tag.isNamed("a"):
                link = tag.attribute("href").map { ($0, text.count) }
            case .closing(let tag) where tag.elementsEqual("a".utf8):
                if let link, !text[link.start...].elementsEqual(link.address.utf8), link.start < text.count {
                    text += " (\(link.address))".utf8
                }
                link = nil
            default: break
            }
        }
        return text
    }

    // MARK: - Content

    /// The text before the first colon, which is the sender's name in most lines; nil for other lines.
    var senderBeforeColon: ArraySlice<UInt8>? {
        if let name { return name[...] }
        guard !isSystem, !text.starts(with: "***".utf8) else { return nil }
        return text[...].parted(by: ": ")?.left
    }

    /// Returns the content of the whole text.
    func content(
        _ text: ArraySlice<UInt8>, in conversation: PidginConversation, _ names: inout PidginNames
    ) -> IRCLine {
        if let name {
            guard let sender = Self.sender(name[...], in: conversation) else { return .system(text) }
            return isAction ? IRCLine(.action, sender, LogText(text)) : Self.said(sender, text, in: conversation)
        }
        if !isSystem, let rest = text.after("***") {
            let name = names.spaced.name(beginning: rest)
            guard let sender = Self.sender(name, in: conversation) else { return .system(text) }
            return IRCLine(.action, sender, LogText(rest[name.endIndex...].dropFirst()))
        }
        if let event = PidginEvent(names.own).content(text, in: conversation, isSystem: isSystem) {
            if event.kind == .rename, event.sender?.string == names.own { names.own = event.body?.string }
            return event
        }
        guard !isSystem, !PidginEvent.isOfProgram(text) else { return .system(text) }
        guard let (name, body) = text.parted(by: ": ") ?? (text.last == Byte.colon ? (text.dropLast(), []) : nil),
            !(conversation.isOfIRC && name.contains(Byte.space)), let sender = Self.sender(name, in: conversation)
        else { return .system(text) }
        return Self.said(sender, body, in: conversation)
    }

    /// Reads `(notice) hi`, as libpurple writes notices of IRC.
    private static func said(
        _ sender: LogText, _ text: ArraySlice<UInt8>, in conversation: PidginConversation
    ) -> IRCLine {
        if conversation.isOfIRC, let notice = text.after("(notice) ") {
            return IRCLine(.notice, sender, LogText(notice))
        }
        return IRCLine(.message, sender, LogText(text))
    }

    /// Returns a sender without the mark of an automatic answer, and without the resource of the other person's
    /// address: `alice@example.org/home`.
    private static func sender(_ name: ArraySlice<UInt8>, in conversation: PidginConversation) -> LogText? {
        let name = name.unwrapped("", " <AUTO-REPLY>").trimmed
        guard !name.isEmpty, !name.contains(Byte.lineFeed) else { return nil }
        let person = conversation.title
        return LogText(name.starts(with: (person + "/").utf8) ? Array(person.utf8)[...] : name)
    }
}
