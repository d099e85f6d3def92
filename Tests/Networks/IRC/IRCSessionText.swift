import ChatModel
import IRCWire
import ScriptedSessions
import TestSupport

@testable import IRC
@testable import Sessions

/// A registered session without a socket: what a test says the server sends.
struct IRCSessionText {
    static let epoch = Timestamp(microseconds: 1_790_000_000_000_000)

    var session: IRCSession
    private(set) var events: [ChatEvent] = []
    private(set) var sent: [String] = []
    private(set) var troubles: [String] = []
    private(set) var end: SessionEnd?
    private var elapsed = Duration.zero
    private let isPaced: Bool

    static let welcome = """
        :irc.example NOTICE * :*** Looking up your hostname
        :irc.example CAP * LS :server-time batch
        :irc.example CAP * ACK :batch server-time
        :irc.example 001 archiver :Welcome
        :irc.example 005 archiver CASEMAPPING=rfc1459 CHANTYPES=# PREFIX=(ov)@+ STATUSMSG=@+ :are supported
        :irc.example 376 archiver :End of MOTD

        """

    /// - Parameters:
    ///   - welcome: Lines up to the end of the MOTD, and what comes with it.
    ///   - isPaced: The test itself asks the session for its JOINs; else they are sent as soon as they can be.
    init(
        rooms: [String] = ["#example"], partners: [String: UserReference] = [:], expected: [RoomReference] = [],
        channels: [KnownChannel] = [], keys: [String: String] = [:], lastReceipt: Timestamp? = nil,
        welcome: String = Self.welcome,
        isPaced: Bool = false, change: (inout IRCConfiguration) -> Void = { _ in }
    ) {
        self.isPaced = isPaced
        var configuration = IRCConfiguration(host: "irc.example", port: 6667, nick: "archiver", rooms: rooms)
        configuration.rejoin = Backoff.Limits(first: .seconds(10), longest: .seconds(900), stable: .seconds(300))
        change(&configuration)
        var login = IRCLogin(Registration(configuration.identity()))
        _ = login.start()
        _ = login.received(Array(welcome.replacing("\n", with: "\r\n").utf8))
        var receipts = ReceiptClock(last: nil)
        _ = receipts.stamp(ClockReading(Self.epoch))
        session = IRCSession(
            id: SessionID(rawValue: 1), openedAt: Self.epoch, elapsed: .zero, receipts: receipts, login: login,
            stored: IRCStoredState(
                partners: partners, rooms: expected, channels: channels, channelKeys: keys, lastReceipt: lastReceipt),
            configuration: configuration, random: Highest())
        takeAll(session.opened())
    }

    /// Lines, without their ends, in one read a second after the one before.
    mutating func receive(_ lines: String...) {
        receive(bytes: Array(lines.map { $0 + "\r\n" }.joined().utf8))
    }

    mutating func receive(bytes: [UInt8]) {
        elapsed += .seconds(1)
        takeAll(
            session.received(
                Received(bytes: bytes, at: Self.epoch.advanced(by: elapsed), filledBuffer: false), elapsed: elapsed))
    }

    /// With what is heard of it only after a rest.
    private mutating func takeAll(_ first: IRCStep) {
        var step = first
        take(step)
        while step.hasMore {
            step = session.proceed()
            take(step)
        }
    }

    /// So long after the beginning.
    mutating func advance(to time: Duration) {
        elapsed = max(elapsed, time)
        take(session.tick(clock: ClockReading(Self.epoch.advanced(by: elapsed)), elapsed: elapsed))
    }

    /// The configuration is another from now on, a second later.
    mutating func configure(_ rooms: String..., change: (inout IRCConfiguration) -> Void = { _ in }) {
        elapsed += .seconds(1)
        var configuration = session.receiver.presence.configuration
        configuration.rooms = rooms
        change(&configuration)
        take(session.configure(configuration, clock: ClockReading(Self.epoch.advanced(by: elapsed)), elapsed: elapsed))
    }

    /// The archive answers.
    mutating func receiveAnswer(_ answer: IRCLookup.Answer) {
        take(session.receiveAnswer(answer, clock: ClockReading(Self.epoch.advanced(by: elapsed)), elapsed: elapsed))
    }

    /// The line that is sent next of those for which there is a turn; nil where none is.
    mutating func nextLine() -> String? {
        let line = session.nextQuestion(at: elapsed).flatMap { try? $0.encoded() }
        return line.map { String(decoding: $0.dropLast(2), as: UTF8.self) }
    }

    mutating func ends(_ end: SessionEnd = SessionEnd(reason: .closed)) {
        events += session.ended(end)
    }

    /// Forgets what there was so far.
    mutating func forget() {
        (events, sent, troubles) = ([], [], [])
    }

    private mutating func take(_ step: IRCStep) {
        events += step.events
        var lines = step.urgent + step.send
        while !isPaced, let line = session.nextQuestion(at: elapsed) { lines.append(line) }
        sent += lines.compactMap { message in
            (try? message.encoded()).map { String(decoding: $0.dropLast(2), as: UTF8.self) }
        }
        troubles += step.troubles
        end = end ?? step.end
    }

    /// All but the topics that stand.
    private var heard: [(message: IncomingMessage, hearing: ChatEvent.Hearing)] {
        events.compactMap { event in
            switch event {
            case .message(_, .standing): nil
            case .message(let message, let hearing): (message, hearing)
            default: nil
            }
        }
    }

    var messages: [IncomingMessage] { heard.map(\.message) }

    /// Of each message in order, whether it is told again.
    var areReplays: [Bool] { heard.map(\.hearing.isReplay) }

    /// The topics that stand, such as `#example alice 1700000000: plans`, in order; `*` and `-` for an unknown person and time.
    var topics: [String] {
        events.compactMap { event in
            guard case .message(let message, .standing(let since)) = event else { return nil }
            let time = since.map { "\($0.microseconds / 1_000_000)" } ?? "-"
            return "\(message.room.name) \(message.sender?.name ?? "*") \(time): \(message.body ?? "")"
        }
    }

    /// How those that are told again are counted.
    var replays: [(occurrence: Occurrence, resolution: TimeResolution)] {
        events.compactMap {
            if case .message(_, .replay(let occurrence, let resolution)) = $0 { (occurrence, resolution) } else { nil }
        }
    }

    /// `#example message alice: hello`, in order.
    var messageTexts: [String] {
        messages.map {
            "\($0.room.name) \($0.kind.rawValue) \($0.sender?.name ?? "*")" + ($0.body.map { ": \($0)" } ?? "")
        }
    }

    /// `#example banned until 12: Cannot join`, in seconds since the beginning, in order.
    var notJoined: [String] {
        events.compactMap { event in
            guard case .roomTroubled(let room, let trouble) = event else { return nil }
            let next = trouble.nextTry.map { " until \($0.since(Self.epoch).components.seconds)" } ?? ""
            return "\(room.name) \(trouble.reason.rawValue)\(next)" + (trouble.detail.map { ": \($0)" } ?? "")
        }
    }

    /// `#example live`, `#example silent left`, in order.
    var liveChanges: [String] {
        events.compactMap { event in
            if case .roomLive(_, let room, _) = event {
                "\(room.name) live"
            } else if case .roomSilent(_, let room, _, let reason) = event {
                "\(room.name) silent \(reason.rawValue)"
            } else if case .roomUnlisted(let room, let isGone, _) = event {
                "\(room.name) \(isGone ? "gone" : "unlisted")"
            } else if case .roomRenamed(_, let key, let room, _) = event {
                "\(key) is \(room.name)"
            } else {
                nil
            }
        }
    }
}
