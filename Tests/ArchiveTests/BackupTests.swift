import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Moves
@testable import Reading

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct BackupTests {
    private let backup: BackupFixture

    init() throws {
        backup = try BackupFixture()
    }

    private func refusal(_ body: () async throws -> Void) async -> ArchiveError? {
        await #expect(throws: ArchiveError.self) { try await body() }
    }

    @Test func `a copy is a data folder with mode 700, and reading it creates nothing`() async throws {
        try await backup.fill()
        let report = try await backup.backUp()
        #expect(report.messages == 50 && report.rooms == 1 && report.state == .hot && !report.isUnchanged)
        #expect(try report.folder == backup.path(in: backup.copies))
        #expect(try await backup.bodies(in: backup.copies) == backup.bodies(in: backup.archive))
        #expect(try backup.copies.check().map(\.state) == [.fine])
        #expect(try backup.files(in: backup.copies) == ["1.sqlite"])
        for name in try FileManager.default.subpathsOfDirectory(atPath: backup.folder) + ["."] {
            let mode = try FileManager.default.attributesOfItem(atPath: backup.folder + "/" + name)[.posixPermissions]
            #expect((mode as? Int ?? -1) & 0o077 == 0, "\(name)")
        }
    }

    /// Another program writes between any two steps of 1 MiB.
    @Test(.disabled(if: QuickCheck.isRunning))
    func `a copy has the messages from when it began, whatever is stored meanwhile`() async throws {
        try await backup.fill(count: 20_000)
        let (copying, growth) = (Watched(0), Watched<Int64>(0))
        let fixture = backup.fixture
        try await backup.backUp { progress in
            let steps = copying.change { steps in
                steps += 1
                return steps
            }
            // Started over with each commit, it would never end.
            if steps > 100 { throw CancellationError() }
            growth.change { $0 = progress.logGrowth }
            try fixture.execute(
                """
                INSERT INTO message (id, room_id, kind, body) VALUES (\(steps), 1, 0, 'late');
                INSERT INTO change (what, subject_id) VALUES (0, \(steps));
                UPDATE room SET messages = messages + 1
                """)
        }
        let steps = copying.value
        #expect(steps > 2 && growth.value > 0)
        #expect(try backup.value("SELECT count(*) FROM message", in: backup.copies) == 20_000)
        #expect(try backup.value("SELECT count(*) FROM message", in: backup.archive) == 20_000 + steps)
        #expect(try backup.copies.check().map(\.state) == [.fine])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a later copy replaces the earlier one, hot or cold`() async throws {
        try await backup.fill()
        try await backup.backUp()
        try await backup.fill(from: 100, count: 10)
        #expect(try await backup.backUp().messages == 60)
        #expect(try backup.files(in: backup.copies) == ["2.sqlite"])
        _ = try backup.archive.evict(account: "demo", level: 1)
        #expect(try await backup.backUp().state == .cold)
        #expect(try backup.files(in: backup.copies) == ["3.sqlite.zst"])
        #expect(try await backup.backUp().isUnchanged)
        #expect(try backup.archive.reading().accountSummaries().map(\.state) == [.cold])
        #expect(try backup.copies.reading().accountSummaries().map(\.state) == [.cold])
        try await backup.fill(from: 200, count: 10)
        #expect(try await !backup.backUp().isUnchanged)
        #expect(try backup.files(in: backup.copies) == ["4.sqlite"])
        #expect(try await backup.bodies(in: backup.copies).count == 70)
        #expect(try backup.copies.check().map(\.state) == [.fine])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an account in use is copied, and a copy in use is not replaced`() async throws {
        try await backup.fill()
        let own = try backup.archive.reading(.accounts(["demo"]))
        try await backup.backUp()
        let copied = try backup.copies.reading(.accounts(["demo"]))
        #expect(await refusal { try await backup.backUp() }?.code == .locked)
        #expect(try backup.files(in: backup.copies) == ["1.sqlite"])
        withExtendedLifetime((own, copied)) {}
    }

    @Test func `a copy of another account or with more changes is not replaced`() async throws {
        try await backup.fill()
        try await backup.backUp()
        let before = try await backup.bodies(in: backup.copies)
        try backup.fixture.execute("DELETE FROM change WHERE seq = (SELECT max(seq) FROM change)")
        let older = await refusal { try await backup.backUp() }
        #expect(older?.code == .backup && older?.detail.contains("has more changes than account 'demo'") == true)
        _ = try backup.archive.erase(account: "demo")
        try await backup.fill(count: 200)
        for _ in 0..<2 {
            let other = await refusal { try await backup.backUp() }
            #expect(other?.code == .backup && other?.detail.contains("of another account 'demo'") == true)
            _ = try backup.archive.evict(account: "demo", level: 1)
        }
        #expect(try await backup.bodies(in: backup.copies) == before)
    }

    @Test(arguments: ["", "/", "/accounts", "/new", "/accounts/../x"])
    func `the data folder can't contain its own backup, by whatever path`(path: String) async throws {
        try await backup.fill()
        let link = backup.fixture.folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: backup.archive.folder)
        let before = try backup.state(of: backup.archive.folder)
        for folder in [backup.archive.folder, link] {
            #expect(throws: ArchiveError.self) { try backup.archive.backup(in: folder + path, isNew: true) }
        }
        #expect(try backup.state(of: backup.archive.folder) == before)
        _ = try backup.archive.backup(in: backup.archive.folder + "-2", isNew: true)
        #expect(throws: ArchiveError.self) { try backup.archive.backup(in: backup.folder + "/a/b", isNew: true) }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a cancelled copy leaves only the earlier one`() async throws {
        try await backup.fill(count: 20_000)
        try await backup.backUp()
        let before = try backup.state(of: backup.folder)
        await #expect(throws: CancellationError.self) { try await backup.backUp { _ in throw CancellationError() } }
        _ = try backup.archive.evict(account: "demo", level: 1)
        await #expect(throws: CancellationError.self) { try await backup.backUp { _ in throw CancellationError() } }
        let after = try backup.state(of: backup.folder)
        #expect(after.filter { $0.key != "accounts" } == before.filter { $0.key != "accounts" })
    }

    @Test func `the next backup and the next listener remove what a killed copy left`() async throws {
        try await backup.fill()
        for folder in [backup.folder, backup.archive.folder] {
            let left = folder + "/accounts/.unfinished-copy"
            try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(filePath: left + "/1.sqlite"))
        }
        #expect(try backup.copies.reading().accounts().isEmpty)
        try await backup.backUp()
        try backup.archive.recover { error in Issue.record("\(error)") }
        for folder in [backup.folder, backup.archive.folder] {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/accounts")
            #expect(names.count == 1, "the account's folder alone")
        }
        #expect(try await backup.bodies(in: backup.copies).count == 50)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a damaged account doesn't replace its earlier copy`() async throws {
        try await backup.fill(count: 2000)
        try await backup.backUp()
        // Its pages are lost, which no reader meets.
        try backup.fixture.execute(
            "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'message_room'")
        let before = try await backup.bodies(in: backup.copies)
        let error = await refusal { try await backup.backUp() }
        #expect(error?.code == .backup && error?.detail.contains("is never used") == true)
        #expect(try backup.files(in: backup.copies) == ["1.sqlite"])
        #expect(try await backup.bodies(in: backup.copies) == before)
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            "교실", "../../etc", "a/b", "A-B", "", "CON", "restore", String(repeating: "우", count: 300), "a\u{0}b", "-rf",
        ])
    func `an account with any name is backed up and restored`(name: String) async throws {
        try await backup.fill("other", count: 5)
        try await backup.fill(name)
        let stored = try await backup.bodies(name, in: backup.archive)
        try await backup.backUp(name)
        try await backup.backUp(name)
        #expect(
            try backup.copies.reading().accounts()
                == backup.archive.reading().accounts().filter { $0.name != "other" })
        _ = try backup.archive.erase(account: name)
        try await backup.restore(name, to: backup.archive)
        #expect(try await backup.bodies(name, in: backup.archive) == stored)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a data folder that was copied while nothing ran is complete elsewhere`() async throws {
        try await backup.fill()
        try await backup.fill("other")
        _ = try backup.archive.evict(account: "other", level: 1)
        try FileManager.default.copyItem(atPath: backup.archive.folder, toPath: backup.folder)
        #expect(try backup.copies.check().map(\.state) == [.fine, .fine])
        for name in ["demo", "other"] {
            #expect(try await backup.bodies(name, in: backup.copies).count == 50)
            _ = try backup.archive.erase(account: name)
            #expect(try await backup.restore(name, to: backup.archive).messages == 50)
        }
    }
}
