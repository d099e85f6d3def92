import Archive
import ChatModel

/// An archive of a million messages of every kind, in three rooms, over 40 sessions with gaps between them.
struct LargeArchive: Sendable {
    static let messages = 1_000_000
    private static let sessions = 40
    private static let batch = 1000
    /// 2026-01-01, 20 s a message: 231 days.
    private static let start = Timestamp(microseconds: 1_767_225_600_000_000)

    let folder: String

    static func time(of message: Int) -> Timestamp {
        start.advanced(byMicroseconds: Int64(message) * 20_000_000)
    }

    func fill() async throws {
        let archive = Archive(folder: folder, logger: RoomLoadRun.silent)
        let writer = try await archive.openWriter(AccountIdentity(name: "classroom", network: "streamchat"))
        for number in 0..<Self.sessions { try await fill(session: number, writer) }
        try await writer.close()
    }

    private func fill(session number: Int, _ writer: AccountWriter) async throws {
        let first = Self.messages / Self.sessions * number
        let last = first + Self.messages / Self.sessions
        let outcomes = try await writer.append([.sessionOpened(at: Self.time(of: first))])
        guard case .new(let id)? = outcomes.first else { throw BenchmarkError("no session was opened") }
        let session = SessionID(rawValue: id)
        _ = try await writer.append(
            Self.rooms.map { .roomLive(session: session, room: $0, at: Self.time(of: first)) })
        for start in stride(from: first, to: last, by: Self.batch) {
            _ = try await writer.append((start..<start + Self.batch).map { Self.message($0, session) })
        }
        _ = try await writer.append([
            .sessionEnded(session: session, at: Self.time(of: last - 1), reason: .lost, detail: nil)
        ])
    }

    private static let rooms = ["lobby", "library", "kitchen"].map {
        RoomReference(key: $0, name: $0, kind: .channel)
    }

    private static func message(_ number: Int, _ session: SessionID) -> ChatEvent {
        let kind = kinds[number % kinds.count]
        let name = "user\(number &* 7919 % 50)"
        return .message(
            IncomingMessage(
                session: session, room: rooms[number % 10 < 8 ? 0 : number % 10 - 7], kind: kind,
                sender: kind == .system ? nil : UserReference(key: name, name: name),
                body: kind == .join || kind == .leave ? nil : texts[number % texts.count],
                remoteID: "\(session.rawValue):\(number)", receivedAt: time(of: number)))
    }

    /// A prime number of them, so that every kind meets every room and text.
    private static let kinds: [MessageKind] =
        Array(repeating: .message, count: 25) + [.join, .leave, .action, .notice, .system, .join]

    private static let texts = [
        "hello everybody", "안녕하세요, 오늘 수업은 몇 시에 시작하나요?", "see you tomorrow then 👋",
        "does anyone have the notes of the last lesson? I was away and missed the whole second half of it.", "ㅋㅋㅋㅋ",
        "ok",
    ]
}
