import Archive
import ChatModel
import Foundation
import Reading
import Schema
import TestSupport
import Testing
import Writing

/// What `scrollback export` writes as jsonl, imported into an account of its own and exported again.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ExportImportEndToEndTests {
    /// Long before the clock of today, which the import compares times with.
    private static let start = StoredRoom.start.advanced(by: .seconds(-5_000_000))

    private static func second(_ number: Int) -> Timestamp { start.advanced(by: .seconds(number)) }

    /// Two rooms, a gap in both, an edit, a deleted message, a reaction, a reply and somebody who has another name now.
    private static func store(for program: Program) async throws {
        let writer = try await Archive(folder: program.data).openWriter(AccountIdentity(name: "demo", network: "irc"))
        let rooms = ["#example", "#한국"].map { RoomReference(key: $0, name: $0, kind: .channel) }
        func session(from: Int, to: Int, _ events: (SessionID) -> [ChatEvent]) async throws {
            guard case .new(let id)? = try await writer.append([.sessionOpened(at: second(from))]).first else {
                throw StoredRoom.NoSession()
            }
            let session = SessionID(rawValue: id)
            let live = rooms.map { ChatEvent.roomLive(session: session, room: $0, at: second(from)) }
            _ = try await writer.append(live + events(session) + [.signOfLife(session: session, at: second(to))])
        }
        func message(
            _ session: SessionID, _ text: String?, id: Int, room: Int = 0, by name: String = "alice", at time: Int,
            kind: MessageKind = .message, editedAt: Int? = nil, reply: String? = nil
        ) -> IncomingMessage {
            IncomingMessage(
                session: session, room: rooms[room], kind: kind, sender: UserReference(key: name, name: name),
                body: text, remoteID: "m\(id)", sourceTime: second(time), receivedAt: second(time),
                editedAt: editedAt.map(second), replyTo: reply)
        }
        try await session(from: 0, to: 20) { session in
            [
                .message(message(session, nil, id: 0, by: "민수", at: 1, kind: .join)),
                .message(message(session, "hallo", id: 1, at: 2)),
                .message(message(session, "안녕 \u{1B}[1m\"\\", id: 2, room: 1, by: "민수", at: 3, reply: "m1")),
                .message(message(session, "secret", id: 3, room: 1, at: 4)),
                .message(message(session, "hello", id: 1, at: 5, editedAt: 5), .edit),
                .deleted(
                    MessageDeletion(session: session, room: rooms[1], remoteID: "m3", receivedAt: second(6))),
                .reaction(
                    IncomingReaction(
                        session: session, room: rooms[0], target: "m1",
                        sender: UserReference(key: "민수", name: "민수"), text: "👍", receivedAt: second(7))),
            ]
        }
        // More than a month later.
        try await session(from: 4_000_000, to: 4_000_020) { session in
            [
                .message(message(session, "back", id: 4, at: 4_000_001)),
                .message(message(session, "again", id: 5, room: 1, at: 4_000_002)),
            ]
        }
        try await writer.close()
    }

    private func files(in folder: String) throws -> [String: Data] {
        let names = FileManager.default.subpaths(atPath: folder) ?? []
        let files = names.filter { $0.hasSuffix(".jsonl") }
        return Dictionary(
            uniqueKeysWithValues: try files.map { ($0, try Data(contentsOf: URL(filePath: "\(folder)/\($0)"))) })
    }

    /// Without what does not come back (docs/import.md).
    private func records(_ data: Data?) -> String {
        String(decoding: data ?? Data(), as: UTF8.self)
            .replacing(#/"created_at":"[^"]*","epoch":"[^"]*"/#, with: "")
    }

    @Test(arguments: [["jsonl", "out"], ["out"], ["out.zip"]])
    func `importing an export and exporting again gives the same export`(words: [String]) async throws {
        let (source, copy) = (try Program(), try Program())
        try await Self.store(for: source)
        #expect(try await source("export", "-o", copy.home + "/out").status == 0)
        let first = try files(in: copy.home + "/out")
        #expect(first.count == 6, "\(first.keys)")
        if words == ["out.zip"] {
            try ZipFile(first.map { .init("scrollback/" + $0.key, Array($0.value)) }).write(to: copy.home + "/out.zip")
        }
        let arguments = ["import"] + words + ["-a", "demo"]
        let planned = try await copy.start(arguments: arguments + ["--dry-run"]).result()
        #expect(planned.errors.contains(": 6 new messages, 0 already stored, 0 invalid"), "\(planned.errors)")
        let result = try await copy.start(arguments: arguments).result()
        #expect(result.status == 0)
        #expect(result.errors.contains(": 6 new messages, 0 already stored, 0 invalid"), "\(result.errors)")
        #expect(!result.errors.contains("skipped") && !result.errors.contains("not finished"))
        #expect(try await copy("accounts", "--format", "jsonl").output.contains("\"network\": \"irc\""))
        #expect(try await copy("export", "-o", "again").status == 0)
        let second = try files(in: copy.home + "/again")
        #expect(first.keys.sorted() == second.keys.sorted())
        for (name, data) in first where name.contains("/") {
            #expect(data == second[name], "\(name)")
        }
        #expect(records(first["account.jsonl"]) == records(second["account.jsonl"]))
        let rows = try AccountRows(copy, account: "demo").all
        let again = try await copy.start(arguments: arguments).result()
        #expect(again.errors.contains(": 0 new messages, 6 already stored, 0 invalid"), "\(again.errors)")
        #expect(try AccountRows(copy, account: "demo").all == rows)
        #expect(try await copy("archive", "check").status == 0)
    }

    private func file(_ program: Program) throws -> String {
        let accounts = program.data + "/accounts"
        let folders = try FileManager.default.contentsOfDirectory(atPath: accounts)
        return "\(accounts)/\(folders.first { $0.hasPrefix("demo-") } ?? "none")/1.sqlite"
    }

    @Test func `every exported column of a message comes back`() async throws {
        let (source, copy) = (try Program(), try Program())
        try await Self.store(for: source)
        // Numbers of rooms and people may be others in the copy.
        let columns = SchemaTable.message.columns
            .filter { $0.use == .exported && !["room_id", "sender_id"].contains($0.name) }
        let stored = try SQLiteFixture(file(source))
        for column in columns.filter(\.isText) {
            guard try stored.texts("SELECT max(\(column.name)) FROM message") == [""] else { continue }
            try stored.execute("UPDATE message SET \(column.name) = 'value ' || id")
        }
        #expect(try await source("export", "-o", copy.home + "/out").status == 0)
        #expect(try await copy("import", "out", "-a", "demo").status == 0)
        let imported = try SQLiteFixture(file(copy))
        for column in columns {
            let rows = "SELECT id || ' ' || ifnull(\(column.name), 'null') FROM message ORDER BY id"
            #expect(try imported.texts(rows) == stored.texts(rows), "\(column.name)")
        }
    }

    @Test func `read rooms stay read in a new account, even when imported again`() async throws {
        let (source, copy) = (try Program(), try Program())
        try await Self.store(for: source)
        let writer = try await Archive(folder: source.data).openWriter(AccountIdentity(name: "demo", network: "irc"))
        try await writer.markRead(rooms: [1, 2], through: nil, at: Self.second(4_000_100))
        try await writer.close()
        #expect(try await source("export", "-o", copy.home + "/out").status == 0)
        for _ in 1...2 {
            #expect(try await copy("import", "out", "-a", "copy").status == 0)
            let rooms = try Archive(folder: copy.data).reading().unread()
            #expect(rooms.map(\.unread) == [0, 0])
            #expect(rooms.map(\.late) == [0, 0])
        }
    }

    @Test func `an export of one room names no other room, and its import creates one room`() async throws {
        let (source, copy) = (try Program(), try Program())
        try await Self.store(for: source)
        let out = copy.home + "/out"
        #expect(try await source("export", "--room", "#example", "-o", out).status == 0)
        for (name, data) in try files(in: out) {
            #expect(!String(decoding: data, as: UTF8.self).contains("#한국"), "\(name)")
        }
        #expect(try await copy("import", "out", "-a", "copy").status == 0)
        #expect(try Archive(folder: copy.data).reading().rooms().map(\.name) == ["#example"])
        let stream = try await source("export", "--room", "#example", "-o", "-")
        #expect(stream.status == 0)
        #expect(!stream.output.isEmpty && !stream.output.contains("\"record\""))
    }

    @Test func `an unfinished export is imported as far as it goes, with a note`() async throws {
        let (source, copy) = (try Program(), try Program())
        try await Self.store(for: source)
        let out = copy.home + "/out"
        #expect(try await source("export", "-o", out).status == 0)
        let manifest = try String(contentsOfFile: out + "/manifest.jsonl", encoding: .utf8)
        try copy.write(
            manifest.split(separator: "\n").dropLast().joined(separator: "\n") + "\n{\"tra", to: "out/manifest.jsonl")
        let result = try await copy("import", "out", "-a", "demo")
        #expect(result.status == 0)
        #expect(
            result.errors.hasPrefix("out: the export is incomplete; importing the part that is there\nout: jsonl\n"))
        #expect(result.errors.contains(": 6 new messages, 0 already stored, 0 invalid"))
        try FileManager.default.removeItem(atPath: out + "/account.jsonl")
        _ = try await copy("import", "out", "-a", "other")
        let accounts = try await copy("accounts", "--format", "jsonl").output.split(separator: "\n")
        #expect(accounts.count == 2 && accounts.allSatisfy { $0.contains("\"network\": \"irc\"") })
    }
}
