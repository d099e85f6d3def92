import Archive
import ChatModel
import Writing

/// An archive of messages of every kind, in three rooms, over 40 sessions with gaps between them.
struct LargeArchive: Sendable {
    static let account = "classroom"
    private static let sessions = 40
    private static let batch = 1000
    /// 2026-01-01. With 20 s a message, a million messages last 231 days.
    private static let start = Timestamp(microseconds: 1_767_225_600_000_000)

    let folder: String
    /// The number of messages, a multiple of 40,000.
    let messages: Int
    /// True if four of each thousand messages are replies, four came with a file, four were edited and four got a
    /// reaction.
    var hasExtras = false

    static func time(of message: Int) -> Timestamp {
        start.advanced(byMicroseconds: Int64(message) * 20_000_000)
    }

    func fill() async throws {
        let count = messages / Self.sessions
        for number in 0..<Self.sessions { try await add(count * number..<count * (number + 1)) }
    }

    /// Stores one session, in full batches.
    func add(_ numbers: Range<Int>) async throws {
        let archive = Archive(folder: folder, logger: RoomLoadRun.silent)
        let writer = try await archive.openWriter(AccountIdentity(name: Self.account, network: "streamchat"))
        try await add(numbers, writer)
        try await writer.close()
    }

    private func add(_ numbers: Range<Int>, _ writer: AccountWriter) async throws {
        let (first, last) = (numbers.lowerBound, numbers.upperBound)
        let outcomes = try await writer.append([.sessionOpened(at: Self.time(of: first))])
        guard case .new(let id)? = outcomes.first else { throw BenchmarkError("no session was opened") }
        let session = SessionID(rawValue: id)
        _ = try await writer.append(
            Self.rooms.map { .roomLive(session: session, room: $0, at: Self.time(of: first)) })
        for start in stride(from: first, to: last, by: Self.batch) {
            _ = try await writer.append((start..<start + Self.batch).flatMap { events($0, session) })
        }
        _ = try await writer.append([
            .sessionEnded(session: session, at: Self.time(of: last - 1), reason: .lost, detail: nil)
        ])
    }

    private static let rooms = ["lobby", "library", "kitchen"].map {
        RoomReference(key: $0, name: $0, kind: .channel)
    }

    private func events(_ number: Int, _ session: SessionID) -> [ChatEvent] {
        var message = Self.message(number, session)
        // The first kind is that of people's messages.
        guard hasExtras, number.isMultiple(of: Self.kinds.count), let sender = message.sender else {
            return [.message(message)]
        }
        var events: [ChatEvent] = []
        switch number / Self.kinds.count % 8 {
        // The message ten places before is in the same room.
        case 0: message.replyTo = Self.remoteID(number - 10, session)
        case 1: message.attachments = ["/files/notes-\(number).pdf"]
        case 2:
            var edited = message
            edited.body = "hello, everybody"
            edited.receivedAt = message.receivedAt.advanced(byMicroseconds: 5_000_000)
            events = [.message(edited, .edit)]
        case 3:
            events = [
                .reaction(
                    IncomingReaction(
                        session: session, room: message.room, target: Self.remoteID(number, session), sender: sender,
                        text: "👍", receivedAt: message.receivedAt.advanced(byMicroseconds: 1_000_000)))
            ]
        default: break
        }
        return [.message(message)] + events
    }

    private static func remoteID(_ number: Int, _ session: SessionID) -> String {
        "\(session.rawValue):\(number)"
    }

    private static func message(_ number: Int, _ session: SessionID) -> IncomingMessage {
        let kind = kinds[number % kinds.count]
        let name = "user\(number &* 7919 % 50)"
        return IncomingMessage(
            session: session, room: rooms[number % 10 < 8 ? 0 : number % 10 - 7], kind: kind,
            sender: kind == .system ? nil : UserReference(key: name, name: name),
            body: kind == .join || kind == .leave ? nil : texts[number % texts.count],
            remoteID: remoteID(number, session), receivedAt: time(of: number))
    }

    /// The number of kinds is prime, so that every kind occurs in every room and with every text.
    private static let kinds: [MessageKind] =
        Array(repeating: .message, count: 25) + [.join, .leave, .action, .notice, .system, .join]

    private static let texts = [
        "hello everybody", "안녕하세요, 오늘 수업은 몇 시에 시작하나요?", "see you tomorrow then 👋",
        "does anyone have the notes of the last lesson? I was away and missed the whole second half of it.", "ㅋㅋㅋㅋ",
        "ok",
    ]
}
