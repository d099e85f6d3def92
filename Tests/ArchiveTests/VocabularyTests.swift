import ChatModel
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Moves
@testable import Reading
@testable import Records
@testable import Schema
@testable import Writing

/// The words beside the search index, by which a search finds parts of words.
@Suite struct VocabularyTests: SearchSuite {
    let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    /// Returns the words of the vocabulary, in order.
    private func words() throws -> [String] {
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        let rows = try queue.read { db in try String.fetchAll(db, sql: "SELECT words FROM vocabulary") }
        return Set(rows.flatMap { $0.split(separator: "\n").map(String.init) }).sorted()
    }

    private func store(
        _ bodies: [String], from place: Int64 = 0, in session: SessionID? = nil, by writer: AccountWriter
    ) async throws {
        var session = session
        if session == nil { session = try await writer.openSession(at: ArchiveFixture.after(place)) }
        let open = try #require(session)
        _ = try await writer.append(
            bodies.enumerated().map { number, body in
                .said(
                    body, at: place + Int64(number), in: open, remoteID: "m\(place + Int64(number))",
                    sourceTime: ArchiveFixture.after(place + Int64(number)))
            })
    }

    @Test func `a part of a word is found as soon as the message is stored`() async throws {
        let writer = try await fixture.openWriter()
        try await store(["please reboot", "boot", "서버reboots now", "bot", "Rebooté"], by: writer)
        #expect(try await found("*boot*").bodies == ["please reboot", "boot", "서버reboots now", "Rebooté"])
        #expect(try await found("*BOOT").bodies == ["please reboot", "boot"])
        #expect(try await found("*oot* -*reboot*").bodies == ["boot"])
        #expect(try await found("*버reboot*").bodies == ["서버reboots now"])
        #expect(try await found("*e reb*").bodies == ["please reboot", "Rebooté"])
        #expect(try words() == ["boot", "bot", "now", "please", "reboot", "reboote", "reboots"])
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [1, 7, 400])
    func `words of many batches are sorted, and each is found`(batch: Int) async throws {
        var random = SeededGenerator(seed: 9)
        let bodies = (0..<2000).map { number in
            "w\(number) " + (0..<3).map { _ in "x\(Int.random(in: 0..<5000, using: &random))y" }.joined(separator: " ")
        }
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        for start in stride(from: 0, to: batch == 1 ? 300 : bodies.count, by: batch) {
            try await store(
                Array(bodies[start..<min(start + batch, bodies.count)]), from: Int64(start), in: session,
                by: writer)
        }
        let stored = Array(bodies.prefix(batch == 1 ? 300 : bodies.count))
        #expect(try words() == Set(stored.flatMap { $0.split(separator: " ").map(String.init) }).sorted())
        #expect(try fixture.value("SELECT count(*) FROM vocabulary WHERE first IS NULL") ?? 0 < 128)
        #expect(try fixture.value("SELECT max(length(words)) FROM vocabulary WHERE first IS NOT NULL") ?? 0 < 2000)
        #expect(
            try fixture.value(
                "SELECT count(*) FROM vocabulary WHERE substr(words, 1, length(first) + 2) <> char(10) || first || char(10)"
            )
                == 0)
        for part in ["x123", "999y", "1y", "w29"] {
            let expected = stored.filter { $0.contains(part) }
            let page = try? await found("*\(part)*", limit: 1000)
            if let page { #expect(page.bodies == expected, "\(part)") }
        }
        try await writer.close()
        #expect(try await fixture.problems() == [])
    }

    @Test func `a part that more words have than one search looks up is an error, and counts look up more`()
        async throws
    {
        let writer = try await fixture.openWriter()
        try await store((0..<400).map { "part\($0)" }, by: writer)
        await #expect(throws: TooManyWords.self) { try await found("*art*") }
        await #expect(throws: TooManyWords.self) { try await found("*art1* OR *art2* OR *art3*") }
        #expect(try await found("*art12*", limit: 1000).bodies.count == 11)
        let counts = try await fixture.archive.reading().counts.hits(
            scope: .accounts(["demo"]), matching: scope("*art*"), by: .all)
        #expect(counts.map(\.count) == [400])
        try await writer.close()
    }

    @Test func `words that an edit or a removal took from every message are gone`() async throws {
        let writer = try await fixture.openWriter()
        try await store(["zephyr one", "zephyr canary", "quill"], by: writer)
        let session = try await writer.openSession(at: ArchiveFixture.after(100))
        _ = try await writer.append([
            .said("other", id: "m2", at: 2, receivedAt: 110, in: session, isLive: true),
            .said("zephyr", id: "m1", at: 1, receivedAt: 111, in: session, isLive: true),
        ])
        #expect(try words() == ["one", "other", "zephyr"])
        #expect(try await found("*eph*").bodies == ["zephyr one", "zephyr"])
        _ = try await writer.append([.said("quills", at: 200, in: session)])
        #expect(try words() == ["one", "other", "quills", "zephyr"])
        _ = try await writer.append([.said("canary", at: 201, in: session)])
        #expect(try await found("*nar*").bodies == ["canary"], "a removed word that comes again")
        #expect(try fixture.value("SELECT count(*) FROM vocabulary_gone") == 0)
        try await writer.close()
        #expect(try await fixture.problems() == [])
    }

    @Test func `rules remove the words of removed messages`() async throws {
        let writer = try await fixture.openWriter()
        try await store((0..<300).map { "word\($0) kept" }, by: writer)
        let later = ArchiveFixture.day.advanced(by: .seconds(1000))
        let session = try await writer.openSession(at: later)
        _ = try await writer.append([.said("kept last", at: 1_000_000_000, in: session)])
        try await writer.apply(.keeping([.messages: .seconds(100)]), at: later)
        #expect(try words() == ["kept", "last"])
        #expect(try fixture.value("SELECT count(*) FROM vocabulary_gone") == 0)
        try await writer.close()
    }

    @Test func `an index of an earlier version has no vocabulary until it is rebuilt`() async throws {
        let writer = try await fixture.openWriter()
        try await store(["reboot"], by: writer)
        try await writer.close()
        try fixture.execute(
            """
            DELETE FROM vocabulary; UPDATE vocabulary_state SET analyser = 0; UPDATE search_index SET analyser = 3;
            """)
        let again = try await fixture.openWriter()
        try await store(["booted"], from: 10, by: again)
        await #expect(throws: TooManyWords.self) { try await found("*boot*") }
        #expect(try await fixture.problems() == [])
        while try await again.indexStep().from != nil {}
        #expect(try await found("*boot*").bodies == ["reboot", "booted"])
        #expect(try words() == ["booted", "reboot"])
        try await again.close()
        #expect(try await fixture.problems() == [])
    }

    @Test func `a file of the last schema gets its vocabulary with the next index`() async throws {
        _ = try await fixture.fillLastSchema()
        let all = try await fixture.allMessages()
        #expect(try fixture.value("SELECT analyser FROM vocabulary_state") == 0)
        let writer = try await fixture.openWriter()
        while try await writer.indexStep().from != nil {}
        try await writer.close()
        #expect(try fixture.value("SELECT analyser FROM vocabulary_state") == Analyser.version)
        let bodies = all.filter { !$0.kind.isNoise }.compactMap(\.body)
        #expect(try words() == expectedWords(bodies))
    }

    private func expectedWords(_ bodies: [String]) -> [String] {
        var words: Set<String> = []
        for body in bodies {
            Analyser.analyse(body).forEachWord { words.insert(String(decoding: $0, as: UTF8.self)) }
        }
        return words.sorted()
    }

    @Test func `check finds a word that the vocabulary lacks, and a rebuilt index brings it`() async throws {
        let writer = try await fixture.openWriter()
        try await store(["boot reboot bot", "reboot now"], by: writer)
        try await writer.close()
        try fixture.execute("UPDATE vocabulary SET words = replace(words, char(10) || 'reboot' || char(10), char(10))")
        #expect(try await found("*eboo*").bodies.isEmpty)
        let problems = try await fixture.problems()
        #expect(problems.map(\.check) == ["vocabulary"])
        #expect(problems.map(\.detail) == ["the vocabulary lacks 1 word of the search index"])
        let again = try await fixture.openWriter()
        while try await again.indexStep(rebuild: true).from != nil {}
        try await again.close()
        #expect(try await found("*eboo*").bodies == ["boot reboot bot", "reboot now"])
        #expect(try await fixture.problems() == [])
    }

    @Test(arguments: UInt64(1)...4)
    func `a search for parts of words finds what the rules find, while messages change`(seed: UInt64) async throws {
        let writer = try await fixture.openWriter()
        var script = RandomArchive(seed: seed)
        for _ in 0..<3 {
            try await script.write(to: writer, rounds: 30)
            let reader = try #require(try fixture.archive.reading().readers(of: .accounts(["demo"])).first)
            let all = try await fixture.walk(.oldest, limit: 1000, query: try fixture.query(room: nil))
            for text in ["*ex*", "*ext", "-*ext*", "*t -*e*", "(from:alice *ex*) OR *1*", "*안*", "*t 1*"] {
                let scope = try await scope(text)
                let isHit = try reader.read { db in try scope.test(of: reader.account, db) }
                guard let page = try? await found(text, limit: 1000) else { continue }
                #expect(all.filter(isHit).map(\.id) == page.messages.map(\.id), "\(text)")
            }
        }
        try await writer.close()
        #expect(try await fixture.problems().filter { $0.check == "vocabulary" } == [])
    }

    @Test func `a compressed account and a backup have their vocabulary`() async throws {
        let writer = try await fixture.openWriter()
        try await store(["reboot"], by: writer)
        try await writer.close()
        _ = try fixture.archive.evict(account: "demo", level: 1)
        let cold = Archive(folder: fixture.archive.folder, cold: .copies)
        let page = try await cold.reading().page(
            fixture.query(.latest, limit: 5, room: nil, accounts: ["demo"]), matching: scope("*boo*"))
        #expect(page.bodies == ["reboot"])
    }

    @Test(arguments: UInt64(1)...20)
    func `a list of words is in the order of SQLite, and adds and removes them`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func some(_ count: Int) -> [String] {
            (0..<count).map { _ in
                String(
                    (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
                        "ab0é한𠮷".randomElement(using: &random)
                    })
            }
        }
        func row(_ words: [String]) -> [UInt8] { VocabularyRow.bytes(of: words) }
        func sorted(_ words: some Sequence<String>) -> [String] {
            Set(words).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
        let (old, new) = (sorted(some(50)), some(60) + some(3))
        let list = WordList(sorting: row(new + new))
        #expect(list.indices.map(list.text) == sorted(new))
        let added = row(old).withUnsafeBytes { list.changed($0, at: list.indices, isRemoval: false) }
        #expect(added == row(sorted(old + new)))
        let removed = added.withUnsafeBytes { list.changed($0, at: list.indices, isRemoval: true) }
        #expect(removed == row(sorted(Set(old).subtracting(new))))
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `many new words are sorted into full rows, and removed ones leave no empty row`() async throws {
        let writer = try await fixture.openWriter()
        let bodies = (0..<20_000).map { "\($0 * 7919 % 20_000)word" }
        try await store(bodies, by: writer)
        #expect(try fixture.value("SELECT count(*) FROM vocabulary WHERE first IS NULL") == 0)
        #expect(try fixture.value("SELECT min(length(words)) FROM vocabulary") ?? 0 > 900)
        #expect(try fixture.value("SELECT sum(length(words)) / count(*) FROM vocabulary") ?? 0 > 1800)
        // The words of some whole rows.
        let removed = bodies.indices.filter { bodies[$0].hasPrefix("19") }
        let session = try await writer.openSession(at: ArchiveFixture.after(30_000))
        _ = try await writer.append(
            removed.map { number in
                .said(
                    "kept", id: "m\(number)", at: Int64(number), receivedAt: Int64(30_001 + number), in: session,
                    isLive: true)
            })
        while try fixture.value("SELECT count(*) FROM vocabulary_gone") ?? 0 > 0 {
            _ = try await writer.append([.said("kept", at: 60_000, in: session)])
        }
        #expect(try words() == (bodies.filter { !$0.hasPrefix("19") } + ["kept"]).sorted())
        #expect(try fixture.value("SELECT count(*) FROM vocabulary WHERE length(words) < 3") == 0)
        try await writer.close()
        #expect(try await fixture.problems() == [])
    }
}
