import Archive
import ChatModel
import Foundation
import Reading
import TestSupport
import Writing

@testable import Exporting

/// An archive to be exported, and what is exported of it, in a folder of their own.
final class ExportFixture {
    let folder: TemporaryFolder
    let archive: Archive
    let writer: AccountWriter
    private var session: SessionID
    private var seconds = 0
    private var numbers: [String: Int] = [:]

    static let rooms = ["#example", "#다른방", "../../evil"]
    /// 2026-01-30T00:00:00Z
    static let start = Timestamp(microseconds: 1_769_731_200_000_000)

    init() async throws {
        folder = try TemporaryFolder()
        archive = Archive(folder: folder.path + "/data")
        writer = try await archive.openWriter(AccountIdentity(name: "demo", network: "irc"))
        session = SessionID(rawValue: 0)
        try await connect()
    }

    func connect() async throws {
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: time)]).first else {
            throw ExportFixtureFailure()
        }
        session = SessionID(rawValue: id)
        _ = try await writer.append(
            Self.rooms.map { .roomLive(session: session, room: Self.room($0), at: time) }
                + [.signOfLife(session: session, at: time)])
    }

    func close() async throws { try await writer.close() }

    /// The account leaves a room.
    func leave(_ room: String) async throws {
        _ = try await writer.append([
            .roomSilent(session: session, room: Self.room(room), at: time, reason: .left)
        ])
    }

    var time: Timestamp { Self.start.advanced(by: .seconds(seconds)) }

    func pass(_ duration: Duration) { seconds += Int(duration / .seconds(1)) }

    static func room(_ name: String) -> RoomReference {
        RoomReference(key: name.lowercased(), name: name, kind: .channel)
    }

    private func message(
        _ body: String?, id: String, in room: String, at time: Timestamp, kind: MessageKind = .message,
        by name: String = "alice", editedAt: Timestamp? = nil, reply: String? = nil
    ) -> IncomingMessage {
        IncomingMessage(
            session: session, room: Self.room(room), kind: kind, sender: UserReference(key: name, name: name),
            body: body, remoteID: id, sourceTime: time, receivedAt: self.time, editedAt: editedAt, replyTo: reply)
    }

    func say(_ body: String, in room: String = "#example", ago: Duration = .zero) async throws {
        _ = try await writer.append([said(body, in: room, ago: ago), .signOfLife(session: session, at: time)])
    }

    /// A message with files, which are not fetched yet. No other message has its id, in any room.
    func send(
        _ paths: [String], in room: String = "#example", by name: String = "alice", _ body: String = "see"
    ) async throws {
        pass(.seconds(1))
        var sent = message(body, id: "files \(seconds)", in: room, at: time, by: name)
        sent.attachments = paths
        _ = try await writer.append([.message(sent), .signOfLife(session: session, at: time)])
    }

    /// A person takes another name, which is also the key, without a message.
    func rename(_ old: String, to new: String) async throws {
        pass(.seconds(1))
        _ = try await writer.append([
            .userRenamed(session: session, fromKey: old, to: UserReference(key: new, name: new), at: time)
        ])
    }

    func fetch(_ path: String, _ bytes: [UInt8]) async throws {
        let receipt = try await writer.receiveAttachment(path)
        try await receipt.begin(at: 0, tag: nil, total: Int64(bytes.count))
        try await receipt.write(bytes)
        try await receipt.finish(at: time)
    }

    /// The network says that it does not have a file any more.
    func fail(_ path: String) async throws {
        try await writer.noteAttachment(path, AttachmentFailure(.gone, detail: "404"), at: time)
    }

    /// The stored files' paths on disk.
    func storedFiles() throws -> [String] {
        let data = folder.path + "/data"
        return try FileManager.default.subpathsOfDirectory(atPath: data).map { data + "/" + $0 }.filter { path in
            var isFolder: ObjCBool = false
            return path.contains("/attachments/")
                && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    /// Writes everything as one document.
    func document(
        rooms: [Int64]? = nil, title: String? = nil, limits: PictureLimits = PictureLimits()
    ) async throws -> (text: String, report: SingleDocument.Report) {
        var request = request(HTMLExport.self)
        (request.rooms, request.title) = (rooms, title)
        let document = SingleDocument(
            source: try AccountExport(of: "demo", in: archive.reading()), request: request, limits: limits,
            isStopped: { false }, progress: { _ in })
        let path = folder.path + "/one.html"
        let report = try document.write(to: path, mode: ExportFolder.ownerOnly)
        return (try String(contentsOfFile: path, encoding: .utf8), report)
    }

    /// A rule removes all messages.
    func removeAll() async throws {
        let age = RetentionAge(text: "1h", duration: .seconds(3600))
        let rules = RetentionRules(tables: [RetentionRules.Table(ages: [.messages: age])])
        let later = Self.start.advanced(by: .seconds(86_400 * 30))
        var place: PurgePlace?
        repeat {
            place = try await writer.retention.purge(rules, from: place, at: later).next
        } while place != nil
    }

    /// As many lines, in one room after the other.
    func say(lines: Range<Int>) async throws {
        let events = lines.map { said("line \($0)", in: Self.rooms[$0 % Self.rooms.count], ago: .zero) }
        _ = try await writer.append(events + [.signOfLife(session: session, at: time)])
    }

    private func said(_ body: String, in room: String, ago: Duration) -> ChatEvent {
        pass(.seconds(1))
        let number = numbers[room, default: 0]
        numbers[room] = number + 1
        let reply = number > 3 && number % 5 == 0 ? "\(number - 3)" : nil
        return .message(
            message(body, id: "\(number)", in: room, at: time.advanced(by: .zero - ago), reply: reply))
    }

    /// Something happens in a room, as a generator says.
    func happen(_ random: inout some RandomNumberGenerator) async throws {
        let room = Self.rooms.randomElement(using: &random) ?? ""
        pass(.seconds(Int.random(in: 1...200_000, using: &random)))
        let known = numbers[room, default: 0]
        let old = "\(Int.random(in: 0..<max(known, 1), using: &random))"
        switch Int.random(in: 0..<14, using: &random) {
        case 0 where known > 0:
            _ = try await writer.append([
                .message(message("edited \(seconds)", id: old, in: room, at: time, editedAt: time), .edit)
            ])
        case 1 where known > 0:
            _ = try await writer.append([
                .deleted(
                    MessageDeletion(session: session, room: Self.room(room), remoteID: old, receivedAt: time))
            ])
        case 2 where known > 0:
            _ = try await writer.append([
                .reaction(
                    IncomingReaction(
                        session: session, room: Self.room(room), target: old,
                        sender: UserReference(key: "민수", name: "민수"), text: "👍", receivedAt: time))
            ])
        case 3:
            _ = try await writer.append([
                .message(message(nil, id: "j\(seconds)", in: room, at: time, kind: .join, by: "bob"))
            ])
        case 4:
            pass(.seconds(86_400))
            try await connect()
        case 5:
            try await say("late <b>&\"'", in: room, ago: .seconds(Int.random(in: 1...4_000_000, using: &random)))
        case 6:
            var sent = message("see", id: "f\(seconds)", in: room, at: time)
            sent.attachments = ["/f\(seconds % 3).png"]
            _ = try await writer.append([.message(sent)])
        case 7:
            try await writer.noteAttachment(
                "/f\(seconds % 3).png", AttachmentFailure(.gone, detail: "404"), at: time)
        default:
            try await say("=SUM(A1) **안녕** \(seconds)\n[12:00] <eve> forged", in: room)
        }
    }

    func request(_ format: any ExportFormat.Type, zone: Zone = .gmt) -> ExportRequest {
        ExportRequest(format: format, zone: zone)
    }

    /// Exports as the command does, from where the folder's export is.
    @discardableResult
    func export(
        _ format: any ExportFormat.Type, to name: String, request: ExportRequest? = nil,
        isStopped: @escaping () -> Bool = { false }
    ) async throws -> ExportRun.Report {
        let target = ExportFolder(path: folder.path + "/" + name)
        try target.make()
        return try ExportRun(
            source: try AccountExport(of: "demo", in: archive.reading()), folder: target,
            request: request ?? self.request(format),
            earlier: try ExportManifest.read(in: target), isStopped: isStopped, progress: { _ in }
        ).perform()
    }

    func verification(of name: String) throws -> ExportVerification {
        try ExportVerification(of: ExportFolder(path: folder.path + "/" + name))
    }

    /// Every file of an export but its manifest, by path.
    func files(of name: String) throws -> [String: Data] {
        let path = folder.path + "/" + name
        var files: [String: Data] = [:]
        let found = FileManager.default.enumerator(atPath: path)
        while let file = found?.nextObject() as? String {
            guard file != ManifestLine.fileName, found?.fileAttributes?[.type] as? FileAttributeType == .typeRegular
            else {
                continue
            }
            files[file] = try Data(contentsOf: URL(filePath: path + "/" + file))
        }
        return files
    }
}

struct ExportFixtureFailure: Error {}
