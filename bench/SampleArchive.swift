import Archive
import ChatModel
import Foundation
import Writing

/// An archive of generated messages in a temporary folder, gone with the value.
final class SampleArchive {
    static let start = Timestamp(microseconds: 1_700_000_000_000_000)
    static let room = RoomReference(key: "", name: "lobby", kind: .server)
    static let account = AccountIdentity(name: "bench", network: "streamchat")

    let folder: String
    let archive: Archive
    private(set) var count = 0
    /// Of the batches so far.
    private(set) var storing = Sample()

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/scrollback-bench-" + UUID().uuidString
        archive = Archive(folder: folder)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    var file: String {
        get throws { try Self.file(in: folder) }
    }

    /// The file of a data folder's only account.
    static func file(in folder: String) throws -> String {
        let accounts = folder + "/accounts"
        guard
            let account = try FileManager.default.contentsOfDirectory(atPath: accounts).first(where: {
                $0.first != "."
            })
        else { throw BenchmarkError("no account in \(accounts)") }
        return "\(accounts)/\(account)/1.sqlite"
    }

    /// Returns the size of the only account's file, which is compressed.
    func coldBytes() throws -> Int {
        let file = try Self.file(in: folder) + ".zst"
        guard let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int else {
            throw BenchmarkError("\(file) has no size")
        }
        return size
    }

    /// Appends what `events` makes of each number, in batches of so many numbers, until there are `total`.
    func fill(
        to total: Int, batch: Int = 1000, at time: (Int) -> Timestamp = SampleArchive.time(of:),
        events: (Int, SessionID) throws -> [ChatEvent] = { [SampleArchive.event($0, $1)] }
    ) async throws {
        let writer = try await archive.openWriter(Self.account)
        let session = try await Self.openSession(writer, at: time(count))
        while count < total {
            let numbers = count..<min(count + batch, total)
            let batch = try numbers.flatMap { try events($0, session) }
            _ = try await storing.measure { try await writer.append(batch) }
            count = numbers.upperBound
        }
        _ = try await writer.append([
            .sessionEnded(session: session, at: time(count), reason: .stopped, detail: nil)
        ])
        try await writer.close()
    }

    static func openSession(_ writer: AccountWriter, at time: Timestamp) async throws -> SessionID {
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: time)]).first else {
            throw BenchmarkError("no session")
        }
        let session = SessionID(rawValue: id)
        _ = try await writer.append([.roomLive(session: session, room: room, at: time)])
        return session
    }

    /// A message every 0.1 s.
    static func time(of number: Int) -> Timestamp {
        start.advanced(byMicroseconds: Int64(number) * 100_000 + 1)
    }

    static func event(
        _ number: Int, _ session: SessionID, isNoise: Bool = false, at time: Timestamp? = nil
    ) -> ChatEvent {
        let name = "user\(number % 50)"
        return .message(
            IncomingMessage(
                session: session, room: room, kind: isNoise ? .join : .message,
                sender: UserReference(key: name, name: name), body: isNoise ? nil : text(number),
                remoteID: "\(session.rawValue):\(number * 60)", receivedAt: time ?? Self.time(of: number)))
    }

    /// Of the length of chat: 40 bytes and some.
    static func text(_ number: Int) -> String {
        number % 3 == 0 ? "오늘 저녁에 다시 이야기해요, 번호 \(number)" : "has anybody tried that on a fresh machine? \(number)"
    }
}
