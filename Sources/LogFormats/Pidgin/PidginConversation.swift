import Bytes
import ChatModel

/// The title of a log: `Conversation with #example at Sat Nov 21 06:23:11 2026 on alice@irc.example.net (irc)`. Its
/// words are English; its time is in the user's language.
struct PidginTitle {
    /// The room or the other person; nil for a log of the account itself.
    let name: String?
    let account: String
    /// libpurple's name of the network: `irc`, `jabber`, `aim`.
    let network: String
    let time: LocaleTime?

    /// The title is in the first 4 KiB of a page.
    private static let searched = 4096

    /// - Parameter beginning: The beginning of a file, of text or HTML.
    init?(_ beginning: [UInt8]) {
        guard let first = IRCLog.eachLine(of: beginning).first(where: { _ in true })?.prefix(Self.searched) else {
            return nil
        }
        guard first.first == UInt8(ascii: "<") else {
            self.init(line: first)
            return
        }
        guard let (title, _) = first.parted(by: "<title>")?.right.parted(by: "</title>") else { return nil }
        self.init(line: HTMLText(title).bytes[...])
    }

    private init?(line: ArraySlice<UInt8>) {
        guard let end = line.lastRange(of: " ("), line.last == UInt8(ascii: ")") else { return nil }
        if let (account, rest) = line.after("System log for account ")?.parted(by: " ("),
            let (network, time) = rest.parted(by: ") connected at ")
        {
            (name, self.account, self.network) = (nil, LogText(account).string, LogText(network).string)
            self.time = LocaleTime(time)
            return
        }
        guard let rest = line[..<end.lowerBound].after("Conversation with "), let on = rest.lastRange(of: " on "),
            let at = rest[..<on.lowerBound].lastRange(of: " at ")
        else { return nil }
        name = LogText(rest[..<at.lowerBound]).string
        account = LogText(rest[on.upperBound...]).string
        network = LogText(line[end.upperBound...].dropLast()).string
        time = LocaleTime(rest[at.upperBound..<on.lowerBound])
    }
}

/// The name that libpurple gives a file: the time at which the conversation began, since 2.0 with the offset of the zone
/// and the zone's name.
struct PidginName {
    let date: CalendarDate
    let seconds: Int
    /// Seconds east of UTC; nil in the names of Gaim.
    let offset: Int?

    init?(_ name: String) {
        var scanner = ByteScanner(Array(name.utf8)[...])
        guard [".txt", ".html", ".htm"].contains(where: name.hasSuffix), let date = scanner.date(),
            scanner.take(Byte.dot), let hour = scanner.number(of: 2), hour < 24, let minute = scanner.number(of: 2),
            minute < 60, let second = scanner.number(of: 2), second <= 60, LocalDay(date, zone: .gmt) != nil
        else { return nil }
        (self.date, seconds) = (date, hour * 3600 + minute * 60 + second)
        offset = scanner.offset()
    }
}

/// The conversation of a log.
struct PidginConversation: Sendable {
    let room: IRCLog.Room
    /// The name that the lines have for the room or the other person.
    let title: String
    let isOfIRC: Bool
    /// The account's own name, without its server.
    let account: String?

    /// - Returns: Nil if neither the user nor the title nor the path names the conversation.
    init?(_ source: LogSource, _ title: PidginTitle?) {
        let folder = source.folders.last ?? ""
        let isChat = folder.hasSuffix(".chat")
        let place =
            PidginName(source.name) == nil ? nil : PercentCode.decode(isChat ? String(folder.dropLast(5)) : folder)
        let written = title.map { $0.name ?? "system" } ?? place
        guard let name = source.room ?? written, !name.isEmpty else { return nil }
        self.title = written ?? name
        isOfIRC = title.map { $0.network == "irc" } ?? source.folders.contains("irc")
        let isDirect = source.room == nil && title?.name != nil && !isChat && !RoomName.isChannel(name)
        // libpurple decomposes the names of folders.
        room = IRCLog.Room(name: name.composed, isDirect: isDirect)
        account = title.flatMap { title in
            title.account.split(separator: title.network == "irc" ? "@" : "/").first.map(String.init)
        }
    }
}

/// The people of a conversation, as far as its beginning shows them.
struct PidginNames: Sendable {
    let spaced: SpacedNames
    /// The account's own name in the room; nil until a line shows it.
    var own: String?

    init(_ beginning: [UInt8], _ conversation: PidginConversation, isPage: Bool) {
        // The list of people, at the beginning of each log of a room: `[ alice ][ bob ]`.
        let listed = conversation.account.map { "[ \($0) ]" }
        var (senders, own): ([ArraySlice<UInt8>], String?) = ([], nil)
        for line in IRCLog.eachLine(of: beginning) {
            if own == nil, let listed, line.range(of: listed) != nil { own = conversation.account }
            guard let entry = PidginEntry(line, isPage: isPage), let sender = entry.senderBeforeColon else { continue }
            senders.append(sender)
            if own == nil, entry.isOwn || conversation.account.map({ sender.elementsEqual($0.utf8) }) ?? false {
                own = LogText(sender).string
            }
        }
        spaced = SpacedNames(senders)
        self.own = own
    }
}
