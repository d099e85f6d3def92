import Archive
import ChatModel
import Checks
import Foundation
import LogFormats
import SQLite
import TestSupport
import Testing
import Writing

@testable import Importing
@testable import Settings

/// Messages that are too large for one request to a listener: they are stored in parts, as they would be at once.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct LongMessageTests {
    private static let start = Timestamp(microseconds: 1_795_255_200_000_000)
    private static let now = start.advanced(by: .seconds(86_400))

    private static func at(_ seconds: Int) -> Timestamp { start.advanced(by: .seconds(seconds)) }

    /// The ways in which a source tells which message it is.
    enum Kind: String, CaseIterable, Sendable {
        case withID, withoutID, exact, exactWithoutID
    }

    private static func message(_ kind: Kind, versions: Int, files: Int = 0, reactions: Int = 0) -> ImportedMessage {
        let isExact = [.exact, .exactWithoutID].contains(kind)
        let hasID = [.exact, .withID].contains(kind)
        var message = ImportedMessage(
            room: "#example", roomKey: hasID ? "C1" : nil, kind: .message, sender: "alice",
            senderKey: hasID ? "U1" : nil, body: "the last", time: start, resolution: isExact ? .microsecond : .second,
            remoteID: hasID ? "m1" : nil, editedAt: versions > 0 ? at(10_000) : nil)
        let earlier = (0..<versions).map { ImportedMessage.Version(at: at($0), body: "text \($0)") }
        guard isExact else {
            message.versions = earlier
            message.files = (0..<files).map { ImportedMessage.File(path: "file \($0)", size: 3) }
            message.reactions = (0..<reactions).map { ImportedMessage.Reaction(text: "👋", user: "user \($0)") }
            return message
        }
        message.place = start
        message.exact = ExactMessage(
            sourceTime: nil, roomKey: "C1", roomKind: .channel, sender: .key("U1"), senderIsSelf: false,
            versions: earlier,
            reactions: (0..<reactions).map {
                ExactMessage.Reaction(text: "👋", user: .key("user \($0)"), at: at($0), removedAt: nil, ownID: nil)
            },
            files: (0..<files).map { .init(path: "file \($0)", bytes: 3, sha256: nil, state: "missing") })
        return message
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store(_ messages: [ImportedMessage], into name: String) async throws -> ImportTally {
        let archive = Archive(folder: folder.path + "/data")
        let writer = try await archive.openWriter(AccountIdentity(name: name, network: "log"))
        var tallies: [ImportTally] = []
        for message in messages { tallies.append(try await writer.importLines([.message(message)], at: Self.now)) }
        try await writer.close()
        #expect(try archive.check(accounts: [name]).flatMap(\.problems).isEmpty)
        return ImportTally(ofParts: tallies)
    }

    /// The rows about messages, without the change feed.
    private func rows(_ account: String) throws -> [String] {
        let accounts = folder.path + "/data/accounts"
        let names = try FileManager.default.contentsOfDirectory(atPath: accounts).filter { $0.hasPrefix(account + "-") }
        let queue = try DatabaseQueue(path: "\(accounts)/\(names.first ?? "")/1.sqlite", isReadOnly: true)
        defer { try? queue.close() }
        return try queue.read { db in
            let tables = [
                "message", "message_version", "attachment", "file", "content", "reaction", "room", "user", "user_name",
            ]
            return try tables.flatMap { table in
                try db.allRows(sql: "SELECT * FROM \(table)") { "\(table) \($0.values)" }
            }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: Kind.allCases)
    func `a message in parts is stored as if at once, counts once, and is recognised again`(
        kind: Kind
    ) async throws {
        let other = Self.message(kind, versions: 0)
        for (index, isMoved) in [false, true].enumerated() {
            var message = Self.message(kind, versions: 50, files: 50, reactions: 50)
            message.deletedAt = isMoved ? Self.at(20_000) : nil
            let parts = try #require(message.parts(ofBytes: 500))
            #expect(parts.count > 5)
            #expect(parts.allSatisfy { $0.bytes <= 500 })
            for (name, some) in [("whole", [message]), ("parts", parts)] {
                let account = "\(name)\(index)"
                if isMoved {
                    var first = other
                    (first.body, first.remoteID, first.exact) = ("another", "m0", nil)
                    _ = try await store([first], into: account)
                }
                #expect(try await store(some, into: account) == ImportTally(new: 1))
                let rows = try rows(account)
                #expect(try await store(some, into: account) == ImportTally(known: 1))
                #expect(try self.rows(account) == rows)
            }
            #expect(try rows("whole\(index)") == rows("parts\(index)"))
            #expect(try rows("parts\(index)").count { $0.contains("message_version") } == 50)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: Kind.allCases)
    func `a stored message gets the rest of a longer one's parts, and counts as changed`(
        kind: Kind
    ) async throws {
        let message = Self.message(kind, versions: 20, files: 20, reactions: 20)
        let parts = try #require(message.parts(ofBytes: 400))
        _ = try await store([parts[0]], into: "a")
        #expect(try await store(parts, into: "a") == ImportTally(changed: 1))
        #expect(try await store(parts, into: "a") == ImportTally(known: 1))
        #expect(try rows("a").count { $0.contains("attachment ") } == 20)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `texts with one time keep their order across parts`() async throws {
        var message = Self.message(.exact, versions: 0)
        message.exact?.versions = (0..<40).map { .init(at: Self.start, body: "text \($0)") }
        let parts = try #require(message.parts(ofBytes: 400))
        #expect(parts.count > 3)
        _ = try await store([message], into: "whole")
        _ = try await store(parts, into: "parts")
        #expect(try rows("whole") == rows("parts"))
    }

    @Test func `a message that fits is one part, and an impossible one has none`() {
        let message = Self.message(.exact, versions: 3)
        #expect(message.parts(ofBytes: message.bytes) == [message])
        #expect(Self.message(.exact, versions: 0).parts(ofBytes: 10) == nil)
        var long = message
        long.exact?.versions[1].body = String(repeating: "x", count: 1000)
        #expect(long.parts(ofBytes: 500) == nil)
    }

    private func reader(_ format: any LogFormats.LogFormat.Type, _ name: String) -> SourceReader {
        let file = ImportFile(container: "", name: name, size: 0)
        let options = ImportOptions(format: format, zone: .gmt, folding: .rfc1459)
        var reader = SourceReader(ImportSource(file, as: format), options: options, now: Self.now)
        reader.begin(file)
        return reader
    }

    private func lines(_ text: String) throws -> [SourceReader.Line] {
        var reader = reader(JSONLinesFormat.self, "x.jsonl")
        return try reader.readChunk(Array(text.utf8)[...]) + reader.endFile() + reader.finish()
    }

    private static func line(body: String = "hi", versions: [String]) -> String {
        let versions = versions.enumerated().map { #"{"at": "\#(at($0))", "body": "\#($1)"}"# }.joined(separator: ", ")
        return """
            {"id": "\(start)", "room": "#example", "room_key": "c1", "kind": "message", "sender": {"name": "alice"}, \
            "sender_key": "U1", "body": "\(body)", "remote_id": "m1", "edited_at": "\(at(5000))", \
            "versions": [\(versions)]}\n
            """
    }

    @Test func `a listener accepts every part of a large message`() throws {
        let text = String(repeating: #"\u0001"#, count: 30 * 1024)
        let found = try #require(try lines(Self.line(versions: (0..<20).map { "\($0)" + text })).first)
        guard case .message(let first) = found.content else { throw CancellationError() }
        let parts = [first] + found.rest
        #expect(parts.flatMap { $0.exact?.versions ?? [] }.count == 20)
        for part in parts {
            #expect(part.bytes <= ImportRun.maximumMessage)
            let request = ControlRequest.change(.importLines(account: "a", [.message(part)], isUnread: true))
            #expect(try JSONEncoder().encode(request).count < ControlRequest.maximumSize / 2)
        }
    }

    @Test func `the longest texts are kept, and longer ones are invalid with the reason`() throws {
        let half = String(repeating: "x", count: ImportRun.maximumMessage / 2 - 1000)
        #expect(try lines(Self.line(body: half, versions: Array(repeating: half, count: 5))).first?.rest.count == 4)
        for line in [Self.line(body: half + half + half, versions: []), Self.line(versions: [half + half + half])] {
            guard case .unreadable(let failure)? = try lines(line).first?.content else { throw CancellationError() }
            #expect(failure.reason == "x.jsonl:1: one of its texts is longer than 655360 bytes")
        }
    }
}
