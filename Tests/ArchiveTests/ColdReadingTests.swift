import ChatModel
import Foundation
import SearchText
import Testing

@testable import Accounts
@testable import Archive
@testable import Files
@testable import Moves
@testable import Reading
@testable import Writing

/// Compressed accounts that are read, alone and among others.
@Suite struct ColdReadingTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func fill(_ name: String = "demo", count: Int = 50) async throws {
        let writer = try await fixture.openWriter(name)
        let session = try await writer.openSession()
        _ = try await writer.append((0..<count).map { .said("서버 \($0)", at: Int64($0), in: session) })
        try await writer.close()
    }

    private func folder(_ name: String = "demo") throws -> String {
        let accounts = fixture.archive.folder + "/accounts"
        let folders = try FileManager.default.contentsOfDirectory(atPath: accounts).filter { $0.hasPrefix(name + "-") }
        return "\(accounts)/\(try #require(folders.first))"
    }

    private func files(_ name: String = "demo") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: try folder(name)).filter { $0.contains("sqlite") }.sorted()
    }

    @Test func `cold accounts are read from private copies, one at a time, and stay cold`() async throws {
        for name in ["demo", "other", "third"] { try await fill(name) }
        let query = try fixture.query(room: nil, accounts: ["demo", "other", "third"])
        let before = try fixture.archive.reading().page(query)
        let folder = fixture.archive.folder
        for name in ["demo", "other"] { _ = try fixture.archive.evict(account: name, level: 1) }
        let progress = Recorder()
        let archive = Archive(
            folder: folder, cold: .several, restoring: { progress.add("\($0) \($1.map { _ in "copied" } ?? "done")") })
        let reading = try archive.reading(query.scope)
        #expect(try reading.page(query) == before)
        #expect(progress.all.contains("demo copied") && progress.all.last == "other done")
        let skipped = try fixture.archive.reading().page(fixture.query(room: nil, accounts: ["demo", "other"]))
        #expect(skipped.messages.isEmpty && skipped.skipped.map(\.account) == ["demo", "other"])
        #expect(try archive.reading().accountSummaries().map(\.state) == [.cold, .cold, .hot])
    }

    @Test func `a page names the accounts that it skipped, with the reason`() async throws {
        for name in ["demo", "other", "third"] { try await fill(name) }
        for name in ["demo", "third"] { _ = try fixture.archive.evict(account: name, level: 1) }
        let lacking = ["demo", "third"].map { (name: String) in
            SkippedAccount(account: name, reason: "cold", detail: "account '\(name)' is compressed")
        }
        let query = try fixture.query(room: nil, accounts: ["demo", "other", "third"])
        #expect(try fixture.archive.reading().page(query).skipped == lacking)
        let all = SearchScope(query: SearchQuery(parsing: ""))
        #expect(try fixture.archive.reading().page(query, matching: all).skipped == lacking)
        let reading = try fixture.archive.reading(query.scope)
        #expect(try reading.page(query).skipped == lacking)
        let search = RegexSearch(
            reading: fixture.archive.reading(), search: all, expression: try RegularExpression("."),
            deadline: .now + .seconds(60))
        #expect(try search.page(query).page.skipped == lacking)
        let readsCold = Archive(folder: fixture.archive.folder, cold: .several)
        #expect(try readsCold.reading().page(query).skipped.isEmpty)
        #expect(try fixture.archive.reading().page(fixture.query(room: nil, accounts: ["demo"])).skipped.isEmpty)
    }

    @Test func `status skips accounts that a listener reports, and never expands the others`() async throws {
        for name in ["demo", "other", "third"] { try await fill(name) }
        _ = try fixture.archive.evict(account: "third", level: 1)
        func names(_ archive: Archive, except reported: Set<String>) async throws -> [String] {
            try archive.reading().status(except: reported).map(\.account)
        }
        let archive = fixture.archive
        let readsCold = Archive(folder: archive.folder, cold: .several)
        #expect(try await names(archive, except: ["demo"]) == ["other"])
        #expect(try await names(archive, except: ["demo", "other"]) == [], "the rest is compressed, and stays so")
        #expect(try await names(archive, except: ["demo", "other", "third"]) == [])
        #expect(try await names(readsCold, except: ["demo"]) == ["other", "third"])
        #expect(try await names(readsCold, except: []) == ["demo", "other", "third"])
        #expect(try archive.reading().accountSummaries().map(\.state) == [.hot, .hot, .cold])
    }

    @Test func `a reading of several accounts skips a cold file that was changed`() async throws {
        for name in ["demo", "other"] { try await fill(name) }
        _ = try fixture.archive.evict(account: "demo", level: 1)
        let path = try folder() + "/1.sqlite.zst"
        _ = try ColdFile(path: path + ".new").compress(
            OpenFile(reading: try folder("other") + "/1.sqlite"), level: 1
        ) { _ in }
        try FolderEntries.rename(path + ".new", to: path)
        let told = Recorder()
        let archive = Archive(
            folder: fixture.archive.folder, cold: .several, reportSkipped: { $0.forEach { told.add($0.detail) } })
        #expect(try archive.reading().rooms().map(\.account) == ["other"])
        #expect(told.all.count == 1 && told.all[0].contains("1.sqlite.zst is damaged: "))
    }

    @Test func `reading or writing one cold account expands it, and reading several skips it`()
        async throws
    {
        try await fill()
        try await fill("other")
        let told = Recorder()
        let archive = Archive(folder: fixture.archive.folder, reportSkipped: { $0.forEach { told.add($0.detail) } })
        _ = try archive.evict(account: "demo", level: 1)
        #expect(try archive.reading().rooms().map(\.account) == ["other"])
        let missing = #expect(throws: ArchiveError.self) {
            try archive.reading().page(fixture.query(room: nil, accounts: ["other", "gone"]))
        }
        #expect(missing?.code == .unknownAccount)
        #expect(told.all == ["account 'demo' is compressed"])
        #expect(try archive.reading().page(fixture.query()).messages.count == 50)
        #expect(try archive.reading().rooms().map(\.account) == ["demo", "other"])
        _ = try archive.evict(account: "demo", level: 1)
        let progress = Recorder()
        let patient = Archive(
            folder: fixture.archive.folder, restoring: { progress.add("\($0) \($1.map { "\($0 > 0)" } ?? "done")") })
        _ = try patient.reading().page(fixture.query())
        #expect(progress.all.first == "demo true" && progress.all.last == "demo done")
        _ = try archive.evict(account: "demo", level: 1)
        let writer = try await fixture.openWriter()
        #expect(try files().first == "4.sqlite")
        try await writer.close()
    }

    @Test func `reading one account can keep it compressed, and writing expands it`()
        async throws
    {
        try await fill()
        _ = try fixture.archive.evict(account: "demo", level: 1)
        let archive = Archive(folder: fixture.archive.folder, cold: .copies)
        #expect(try archive.reading().page(fixture.query()).messages.count == 50)
        #expect(try files() == ["1.sqlite.zst"])
        let writer = try await archive.openWriter(ArchiveFixture.account)
        #expect(try files().first == "2.sqlite")
        try await writer.close()
    }
}
