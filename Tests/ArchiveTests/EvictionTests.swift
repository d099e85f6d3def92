import ChatModel
import Foundation
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Moves
@testable import Reading
@testable import Writing

@Suite struct EvictionTests {
    let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    func fill(_ name: String = "demo", count: Int = 50) async throws {
        let writer = try await fixture.openWriter(name)
        let session = try await writer.openSession()
        _ = try await writer.append((0..<count).map { .said("서버 \($0)", at: Int64($0), in: session) })
        try await writer.close()
    }

    func folder(_ name: String = "demo") throws -> String {
        let accounts = fixture.archive.folder + "/accounts"
        let folders = try FileManager.default.contentsOfDirectory(atPath: accounts).filter { $0.hasPrefix(name + "-") }
        return "\(accounts)/\(try #require(folders.first))"
    }

    private func files(_ name: String = "demo") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: try folder(name)).filter { $0.contains("sqlite") }.sorted()
    }

    @Test func `an account is compressed and restored with every message, under the next number`() async throws {
        try await fill()
        let before = try await fixture.walk(.latest, limit: 20, query: fixture.query())
        let evicted = try fixture.archive.evict(account: "demo", level: 3)
        #expect(evicted.state == .cold && evicted.messages == 50)
        #expect(try #require(evicted.coldBytes) < evicted.bytes)
        #expect(try files() == ["1.sqlite.zst"])
        #expect(try fixture.archive.reading().accountSummaries() == [evicted])
        #expect(try fixture.archive.evict(account: "demo", level: 3) == evicted, "it is cold already")

        let restored = try fixture.archive.restore(account: "demo")
        #expect(restored.state == .hot && restored.messages == 50)
        #expect(try files().filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") } == ["2.sqlite"])
        #expect(try await fixture.walk(.latest, limit: 20, query: fixture.query()) == before)
        #expect(try fixture.archive.restore(account: "demo").state == .hot)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an account in use is not moved`() async throws {
        try await fill()
        let writer = try await fixture.openWriter()
        let error = #expect(throws: ArchiveError.self) {
            try fixture.archive.evict(account: "demo", level: 1)
        }
        #expect(error?.code == .locked)
        #expect(error?.detail.contains("process \(getpid())") == true)
        try await writer.close()
        let reading = try fixture.archive.reading(.accounts(["demo"]))
        let another = #expect(throws: ArchiveError.self) {
            try fixture.archive.evict(account: "demo", level: 1)
        }
        #expect(another?.code == .locked)
        withExtendedLifetime(reading) {}
    }

    /// Runs a script in the account's folder.
    private func shell(_ script: String) async throws {
        let run = try await #require(Tool.find("sh")).run(["-c", "cd \"$0\" && { \(script); }", try folder()])
        try #require(run.status == 0, "\(run.errors)")
    }

    /// What a move can leave behind, as a shell would make it, and what is then there.
    @Test(
        .enabled(if: Tool.find("sh") != nil, "needs sh"),
        arguments: [
            ("cp 1.sqlite 1.sqlite.zst", false), ("echo x > 1.sqlite.zst.tmp", false), ("echo x > 2.sqlite.tmp", false),
            ("cp 1.sqlite 2.sqlite", false), ("cp 1.sqlite.zst 2.sqlite.zst", true), ("echo x > 1.sqlite", true),
            ("echo x > 1.sqlite; echo x > 1.sqlite-wal", true), ("echo x > 2.sqlite", true),
            ("cp 1.sqlite.zst 1.sqlite.zst.tmp", true), ("echo x > 1.sqlite-journal", true),
        ])
    func `an interrupted move is completed or rolled back, and every message is there`(left: String, isCold: Bool)
        async throws
    {
        try await fill()
        if isCold { _ = try fixture.archive.evict(account: "demo", level: 1) }
        try await shell(left)
        #expect(try fixture.archive.reading().page(fixture.query()).messages.count == 50)
        let kept = isCold ? "2.sqlite" : "1.sqlite"
        #expect(try files().filter { ![kept + "-shm", kept + "-wal"].contains($0) } == [kept])
    }

    @Test(.timeLimit(.minutes(MachineSpeed.minutes(5))), .disabled(if: QuickCheck.isRunning))
    func `leftovers of a move beside a file in use don't block readers`() async throws {
        try await fill()
        let reading = try fixture.archive.reading(.accounts(["demo"]))
        try Data("x".utf8).write(to: URL(filePath: try folder() + "/2.sqlite.zst"))
        #expect(try fixture.archive.reading().page(fixture.query()).messages.count == 50)
        withExtendedLifetime(reading) {}
    }

    @Test func `a later file with more changes than the catalog knows is used`() async throws {
        try await fill()
        let file = try fixture.file()
        try FileManager.default.copyItem(atPath: file, toPath: try folder() + "/4.sqlite")
        let queue = try DatabaseQueue(path: try folder() + "/4.sqlite")
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO message (id, room_id, kind, body) VALUES (1, 1, 0, 'more');
                    INSERT INTO change (what, subject_id) VALUES (0, 1)
                    """)
        }
        try queue.close()
        #expect(try fixture.archive.reading().page(fixture.query(.oldest, limit: 1)).bodies == ["more"])
        #expect(try files().first == "4.sqlite")
    }

    @Test(
        .enabled(if: Tool.find("sh") != nil, "needs sh"),
        arguments: [
            "head -c 1000 1.sqlite.zst > x; mv x 1.sqlite.zst", "echo more >> 1.sqlite.zst", "rm 1.sqlite.zst",
        ])
    func `a changed cold file is reported, and nothing is removed`(damage: String) async throws {
        try await fill()
        _ = try fixture.archive.evict(account: "demo", level: 1)
        try await shell(damage)
        let left = try files()
        let error = #expect(throws: ArchiveError.self) {
            try fixture.archive.reading().page(fixture.query())
        }
        #expect(error?.code == .corrupt)
        #expect(try files() == left)
        #expect(try fixture.archive.check().first?.problems.contains { $0.check == "file" } == true)
    }

    @Test func `a lost catalog is rebuilt from all folders, cold ones and manual copies included`()
        async throws
    {
        for name in ["demo", "other", "third"] { try await fill(name) }
        let evicted = try fixture.archive.evict(account: "other", level: 1)
        let moved = try folder("third")
        try FileManager.default.moveItem(atPath: moved, toPath: moved + "-restored")
        try FileManager.default.removeItem(atPath: fixture.archive.folder + "/catalog.sqlite")
        let archive = Archive(folder: fixture.archive.folder)
        var summaries = try archive.reading().accountSummaries()
        #expect(summaries.map(\.account) == ["demo", "other", "third"])
        // When it was used is the one thing that is lost.
        summaries[1].usedAt = evicted.usedAt
        #expect(summaries[1] == evicted)
        #expect(try archive.reading().page(fixture.query(accounts: ["other"])).messages.count == 50)
    }

    @Test func `eviction starts with the least recently used account, and skips those in use`() async throws {
        for name in ["a", "b", "c", "d", "e"] { try await fill(name) }
        _ = try fixture.archive.reading().page(fixture.query(accounts: ["a"]))
        _ = try fixture.archive.reading().accountSummaries()
        let writer = try await fixture.openWriter("b")
        let report = try fixture.archive.evictOver(HotLimits(accounts: 2))
        #expect(
            report.evicted.map(\.account) == ["c", "d", "e"] && report.accounts == 2 && !report.isOver
                && report.failed.isEmpty)
        let again = try fixture.archive.evictOver(HotLimits(bytes: 1))
        #expect(again.evicted.map(\.account) == ["a"] && again.isOver)
        #expect(again.failed.map(\.reason) == ["locked"])
        #expect(
            try fixture.archive.reading().accountSummaries().map(\.state) == [.cold, .hot, .cold, .cold, .cold])
        try await writer.close()
        #expect(try fixture.archive.evictOver(HotLimits(accounts: 1)).evicted.isEmpty)
    }

    @Test func `without a limit, hot accounts may take half of their size plus the disk's free space`() {
        #expect(HotLimits.usualBytes(hot: 20, free: 60) == 40)
        #expect(HotLimits.usualBytes(hot: 10, free: 10) == 10)
        #expect(HotLimits.usualBytes(hot: .max, free: .max) == .max - 1)
        #expect(HotLimits.usualBytes(hot: 10, free: 0) == 5)
    }

    @Test func `cancelling a compression leaves the account unchanged`() async throws {
        try await fill()
        #expect(throws: CancellationError.self) {
            try fixture.archive.evictOver(HotLimits(bytes: 1), check: { throw CancellationError() })
        }
        #expect(try files().filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") } == ["1.sqlite"])
        #expect(try fixture.archive.reading().page(fixture.query()).messages.count == 50)
    }

    @Test func `two folders of one account are reported, and a damaged or wrong catalog is rebuilt`() async throws {
        try await fill()
        try await fill("other")
        _ = try fixture.archive.evict(account: "other", level: 1)
        let copy = try folder() + "x"
        try FileManager.default.copyItem(atPath: try folder(), toPath: copy)
        let told = Recorder()
        let archive = Archive(folder: fixture.archive.folder, reportSkipped: { $0.forEach { told.add($0.detail) } })
        #expect(try archive.reading().accounts().map(\.name) == ["demo", "other"])
        #expect(told.all.count == 1 && told.all[0].hasSuffix("keep one of them"))
        try FileManager.default.removeItem(atPath: copy)
        let catalog = fixture.archive.folder + "/catalog.sqlite"
        try Data(repeating: 0x41, count: 20_000).write(to: URL(filePath: catalog))
        let damaged = Archive(folder: fixture.archive.folder)
        #expect(throws: ArchiveError.self) { try damaged.reading().accounts() }
        try damaged.rebuildCatalog { error in Issue.record("\(error)") }
        #expect(try damaged.reading().accountSummaries().map(\.state) == [.hot, .cold])
        #expect(FileManager.default.fileExists(atPath: catalog + ".damaged"))
        #expect(try damaged.reading().page(fixture.query(accounts: ["other"])).messages.count == 50)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a cancelled recovery stops within a file, and the next one completes it`() async throws {
        for name in ["demo", "other", "third"] { try await fill(name, count: 2000) }
        for name in ["demo", "other"] { _ = try fixture.archive.evict(account: name, level: 1) }
        let left = try folder() + "/1.sqlite.zst.tmp"
        // The catalog is lost, so that compressed files are read through once.
        try FileManager.default.removeItem(atPath: fixture.archive.folder + "/catalog.sqlite")
        try Data("x".utf8).write(to: URL(filePath: left))
        let archive = Archive(folder: fixture.archive.folder)
        func checks(until last: Int) async throws -> Int {
            let checks = Watched(0)
            do {
                try archive.recover(check: {
                    let isLast = checks.change { checks in
                        checks += 1
                        return checks == last
                    }
                    if isLast { throw CancellationError() }
                }) { error in Issue.record("\(error)") }
            } catch is CancellationError {}
            return checks.value
        }
        #expect(try await checks(until: 2) == 2, "within the first account's file")
        #expect(FileManager.default.fileExists(atPath: left))
        #expect(try await checks(until: .max) > 3)
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(try archive.reading().accountSummaries().map(\.state) == [.cold, .cold, .hot])
    }

    @Test func `concurrent restores of one account all read it`() async throws {
        try await fill(count: 2000)
        _ = try fixture.archive.evict(account: "demo", level: 1)
        let pages = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                let archive = Archive(folder: fixture.archive.folder)
                group.addTask { [fixture] in try archive.reading().page(fixture.query()).messages.count }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(pages == [50, 50, 50, 50])
        #expect(try files().first == "2.sqlite")
    }
}
