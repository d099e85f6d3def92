import Archive
import ChatModel
import Operations
import Options
import Reading
import Rendering
import Settings

struct MarkReadCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "mark-read",
        abstract: "Mark the messages of rooms as read.",
        usage: "scrollback mark-read (<room> ... | -a <account> | --all) [<options>]",
        discussion: """
            EXAMPLE: scrollback mark-read classroom/lobby --to 2026-11-21T06:23:11.123456Z

            Messages that are stored later are unread, also late ones that sort before read messages. An earlier --to makes the \
            messages after it unread again.
            """)

    @Argument(.markedRooms)
    var rooms: [String] = []

    @Option(.markedAccounts)
    var account: [String] = []

    @Flag(.markAll)
    var all = false

    @Option(.markTo)
    var to: String?

    @Flag("utc", help: "Read times in UTC (default: the local zone, TZ).")
    var utc = false

    @OptionGroup var answer: AnswerOptions
    @OptionGroup(title: "Where") var folder: FolderOptions

    func validate() throws {
        try asUsage { try selection.validate(zone: zone) }
    }

    private var selection: ReadMarkSelection { ReadMarkSelection(rooms: rooms, accounts: account, all: all, to: to) }

    private var zone: Zone { utc ? .gmt : .local }

    func run() async throws {
        let archive = Archive(
            folder: try folder.resolve(),
            reportSkipped: { accounts in
                for line in SkippedAccountsText.lines(accounts, takesCold: false) {
                    StandardStream.note("scrollback: \(line)\n")
                }
            })
        let marked = try selection.selected(in: archive.reading())
        let identities = try archive.reading().accounts()
        for identity in identities {
            let numbers = marked.filter { $0.account == identity.name }.map(\.roomID)
            guard !numbers.isEmpty else { continue }
            let writing = StoreWriting(archive: archive, account: identity)
            try await writing.perform(
                .markRead(account: identity.name, rooms: numbers, through: try selection.through(zone: zone)))
            try await writing.close()
        }
        try report(marked, archive.reading())
    }

    /// The limit of rooms that are listed one by one.
    private static let listed = 10

    private func report(_ marked: [UnreadRoom], _ reading: ArchiveReading) throws {
        if marked.isEmpty { StandardStream.note(EmptyResult.nothingUnread(folder: reading.folder)) }
        var (read, unread, hasMore) = (Int64(0), Int64(0), false)
        var rooms: [UnreadRoom] = []
        for before in marked {
            guard let now = try reading.unread(account: before.account, room: before.roomID).first else {
                continue
            }
            rooms.append(now)
            read += max(0, before.unread - now.unread)
            unread += max(0, now.unread - before.unread)
            hasMore = hasMore || before.hasMore
            guard marked.count <= Self.listed else { continue }
            let room = Sanitizer.line("\(now.account)/\(now.room)")
            answer.note("\(room): \(now.unread == 0 ? "all read" : "\(now.count) unread")\n")
        }
        try answer.write(
            rooms, as: UnreadRoom.listing(time: LocalTime(zone: zone)), leftOut: reading.skipped)
        guard marked.count > 1 else { return }
        let messages = hasMore ? "more than \(Int(read).of(.message))" : Int(read).of(.message)
        // An earlier --to makes messages unread again.
        let parts =
            (read > 0 || unread == 0 ? ["\(messages) read"] : [])
            + (unread > 0 ? ["\(Int(unread).of(.message)) unread"] : [])
        answer.note("marked \(marked.count.of("room")): \(parts.joined(separator: ", "))\n")
    }
}
