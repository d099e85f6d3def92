import ChatModel
import Foundation

/// 2026-11-21T06:23:11.123456Z, a Saturday.
let sampleTime = Timestamp(microseconds: 1_795_242_191_123_456)

func message(
    _ body: String?, at time: Timestamp = sampleTime, kind: MessageKind = .message, sender: String? = "alice",
    room: String = "lobby", account: String = "demo", flags: MessageFlags = [],
    editedAt: Timestamp? = nil, deletedAt: Timestamp? = nil
) -> Message {
    Message(
        id: MessageID(time), account: account, network: "streamchat", roomID: 1, room: room, kind: kind,
        sender: sender.map { Message.Sender(id: 7, name: $0, isSelf: false) }, body: body, remoteID: nil,
        receivedAt: time, sourceTime: nil, flags: flags, editedAt: editedAt, deletedAt: deletedAt)
}

func room(_ name: String, id: Int64 = 1, account: String = "demo", unread: UnreadCount? = nil) -> Room {
    Room(
        account: account, network: "streamchat", id: id, name: name, kind: .channel, messages: 3,
        firstMessage: MessageID(sampleTime), lastMessage: nil, unread: unread, coveredFrom: sampleTime)
}

extension Room {
    /// The room with its present name.
    var named: NamedRoom {
        NamedRoom(account: account, network: network, id: id, name: name, workspace: workspace)
    }
}

func gap(
    from: Timestamp = sampleTime, to: Timestamp? = sampleTime.advanced(by: .seconds(149)), state: Gap.State = .lost,
    reason: String? = "closed", nextTry: Timestamp? = nil
) -> Gap {
    let missing = Gap.Missing(reason: reason, isOpen: state == .open, nextTry: nextTry)
    let kind: Gap.Kind =
        switch state {
        case .ended: .ended(.left)
        case .notArchived: .seam(missing)
        default: .gap(missing)
        }
    return Gap(account: "demo", room: "lobby", from: from, to: to, kind: kind)
}

/// Each of the earlier names was given up a day after the one before it, the last a day before ``sampleTime``.
func user(_ name: String, earlier: [String] = [], membership: User.Membership? = nil) -> User {
    func day(_ number: Int) -> Timestamp { sampleTime.advanced(by: .seconds(86_400 * (number - earlier.count))) }
    let names = earlier.enumerated().map { index, name in
        User.Name(name: name, firstSeen: day(index - 1), lastSeen: day(index))
    }
    return User(
        account: "demo", id: 7,
        names: names + [User.Name(name: name, firstSeen: day(earlier.count - 1), lastSeen: nil)],
        isSelf: false, membership: membership)
}

let sampleDetail = MessageDetail(
    message: message("hi"), roomNow: "lobby", senderNow: "alice",
    versions: [MessageDetail.Version(at: sampleTime, body: "hi")],
    raw: .bytes(Array("alice::hi\0".utf8), length: 10),
    session: MessageDetail.Session(
        id: SessionID(rawValue: 3), startedAt: sampleTime.advanced(by: .seconds(-1)), lastSignOfLife: sampleTime,
        endedAt: nil, reason: nil, detail: nil),
    coverage: MessageDetail.Coverage(
        place: .covered(from: sampleTime.advanced(by: .seconds(-1)), to: nil, gapBefore: nil, gapAfter: nil),
        archivedSince: sampleTime.advanced(by: .seconds(-1))))

let sampleCheck = AccountCheck(
    account: "demo", folder: "data/accounts/demo-7f3k2a", state: .wrong, messages: 3, checks: 21,
    problems: [AccountCheck.Problem(check: "file", detail: "it is not there", advice: "put a backup in its place")])

let sampleAccount = AccountSummary(
    account: "demo", network: "streamchat", folder: "data/accounts/demo-7f3k2a", createdAt: sampleTime, messages: 3,
    rooms: 1, firstMessage: MessageID(sampleTime), lastMessage: nil, state: .cold, bytes: 1_234_567, coldBytes: 234_567,
    writer: "process 4711 (x listen)"
)

/// Read up to ``sampleTime`` unless told otherwise.
func unread(_ count: Int64, late: Int64 = 0, through: MessageID? = MessageID(sampleTime)) -> UnreadRoom {
    UnreadRoom(
        account: "demo", roomID: 1, room: "lobby", unread: count, hasMore: count == UnreadRoom.countLimit, late: late,
        firstUnread: count > late ? MessageID(sampleTime.advanced(by: .seconds(1))) : nil,
        firstLate: late > 0 ? MessageID(sampleTime.advanced(by: .seconds(-60))) : nil, readThrough: through,
        markedAt: through.map(\.time))
}

func zone(_ name: String) throws -> Zone {
    guard let zone = Zone(identifier: name) else { throw CocoaError(.featureUnsupported) }
    return zone
}

/// The documentation is part of the program: tests compare the two.
func document(_ path: String, file: String = #filePath) throws -> String {
    let root = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
}

/// A folder of its own, removed when `body` returns.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scrollback-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}
