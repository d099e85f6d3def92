import ChatModel
import Foundation
import SearchText
import Testing

@testable import Accounts
@testable import Archive
@testable import Checks
@testable import Moves
@testable import Reading
@testable import Writing

/// Words and names as people type them, in a real index.
@Suite struct SpellingTests: SearchSuite {
    let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    private static let names = [
        "José", "สิริ", "कुमार", "Straßer", "Οδυσσέας", "Երեւան", "أحمد", "Łukasz", "ＦＩＯＮＡ", "O’Brien", "김민수", "alice",
        "Ёжик", "ǃKung", "Ѝвка",
    ]

    private func fillNames() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append(
            Self.names.enumerated().map { .said("hi from \($1)", at: Int64($0), by: $1, in: session) })
        try await writer.close()
    }

    @Test(arguments: [
        ("from:jose", "José"), ("from:JOSÉ", "José"), ("from:jo*", "José"), ("from:ส*", "สิริ"), ("from:สิ*", "สิริ"),
        ("from:क*", "कुमार"),
        ("from:कु*", "कुमार"), ("from:STRASSER", "Straßer"), ("from:strasser", "Straßer"), ("from:ΟΔΥΣΣΈΑΣ", "Οδυσσέας"),
        ("from:οδυσσεας", "Οδυσσέας"), ("from:ԵՐԵՒԱՆ", "Երեւան"), ("from:احمد", "أحمد"), ("from:lukasz", "Łukasz"),
        ("from:Ł*", "Łukasz"),
        ("from:fiona", "ＦＩＯＮＡ"), ("from:o'brien", "O’Brien"), ("from:김*", "김민수"), ("from:김민수", "김민수"),
        ("from:Alice", "alice"),
        ("from:álice", "alice"), ("from:ежик", "Ёжик"), ("from:!kung", "ǃKung"), ("from:ив*", "Ѝвка"),
    ])
    func `a sender is found by a name as people type it`(text: String, name: String) async throws {
        try await fillNames()
        #expect(try await found(text).bodies == ["hi from \(name)"])
    }

    @Test(arguments: ["from:jos", "from:कम", "from:ริ*", "from:brien"])
    func `another name is not found`(text: String) async throws {
        try await fillNames()
        #expect(try await found(text).bodies == [])
    }

    @Test(arguments: ["in:cafe", "in:#CAFÉ", "in:caf\u{65}\u{301}", "in:#café"])
    func `a room is found by a name as people type it`(text: String) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let room = RoomReference(key: "#café", name: "#café", kind: .channel)
        _ = try await writer.append([
            .said("here", at: 1, in: session, room: room), .said("elsewhere", at: 2, in: session, room: Self.work),
        ])
        try await writer.close()
        #expect(try await found(text).bodies == ["here"])
    }

    static let texts = [
        "พรุ่งนี้ไปตลาดกับแม่นะ", "ខ្ញុំ\u{200B}ទៅ\u{200B}ផ្សារ", "မနက်ဖြန်ဆရာဝန်ဆီသွားမယ်", "Καλημέρα, πού είσαι;",
        "أحمد في المدرسة على الأقل",
        "Đường đông quá", "کتاب\u{200C}ها را می\u{200C}خواهم", "Ещё зелёный чай", "الساعة ٣٠", "वह ज़रूर पढ़ेगा",
        "Oʻzbekiston", "x² ㎏ 𝐇𝐞𝐥𝐥𝐨 ™",
        "ꭰꮒ", "ᄏᄏ", "die Maße", "die Masse",
    ]

    static let queries = [
        "ตลาด", "ไปตลาด", "แ*", "ទៅផ្សារ", "ဆရာဝန်", "ΚΑΛΗΜΕΡΑ", "που", "احمد", "المدرسه", "علي", "duong dong", "كتاب",
        "کتابها",
        "\"می خواهم\"", "می\u{200C}خواهم", "еще", "30", "जरूर", "o'zbekiston", "x2", "kg", "hello ™", "ᎠᏂ", "ㅋㅋ",
        "masse", "-ไป", "\"ไป ตลาด\"",
    ]

    @Test(arguments: queries)
    func `the index of a file finds what a scan finds`(text: String) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append(Self.texts.enumerated().map { .said($1, at: Int64($0), in: session) })
        let matcher = Matcher(query(text))
        #expect(try await found(text).bodies == Self.texts.filter { matcher.matches($0) { _ in false } })
        try await writer.close()
    }

    @Test func `a message's words are removed with an edit, joined words and clusters too`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        func said(_ body: String, at: Int64) -> ChatEvent {
            .said(body, id: "m", at: 1, receivedAt: at, in: session, isLive: at > 1)
        }
        _ = try await writer.append([said("کتاب\u{200C}ها ไปตลาด", at: 1)])
        _ = try await writer.append([said("new", at: 2)])
        for text in ["کتابها", "کتاب", "ตลาด", "ไ"] { #expect(try await found(text).bodies == [], "\(text)") }
        #expect(try await found("new").bodies == ["new"])
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
        try await writer.close()
    }

    @Test func `an index by an earlier version is named until it is rebuilt`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("Straße", at: 1, in: session)])
        try await writer.close()
        try fixture.execute("UPDATE search_index SET analyser = 4")
        let scope = MessageQuery.Scope.accounts(["demo"])
        #expect(try fixture.archive.reading().search.indexes(scope).filter(\.isOutdated).map(\.analyser) == [4])
        let again = try await fixture.openWriter()
        while try await again.indexStep().from != nil {}
        #expect(try fixture.archive.reading().search.indexes(scope).filter(\.isOutdated).isEmpty)
        #expect(try await found("strasse").bodies == ["Straße"])
        try await again.close()
    }

    @Test(arguments: [
        (4, "strasse", "Thai"), (5, "strasse", "rare letters"), (Analyser.version, "strasse", nil),
        (5, "from:alice", nil),
    ])
    func `a search knows what the index of an earlier version lacks`(analyser: Int, text: String, lack: String?) {
        let found = SearchScope(query: query(text)).lack(ofIndexBy: analyser)
        #expect((found == nil) == (lack == nil), "\(found ?? "")")
        if let lack { #expect(found?.contains(lack) == true, "\(found ?? "")") }
    }

    @Test func `a compressed account keeps its earlier index until the account is indexed by name`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("Straße", at: 1, in: session)])
        try await writer.close()
        try fixture.execute("UPDATE search_index SET analyser = 4")
        _ = try fixture.archive.evict(account: "demo", level: 1)
        let scope = MessageQuery.Scope.accounts(["demo"])
        let cold = Archive(folder: fixture.archive.folder, cold: .several)
        #expect(try fixture.archive.reading().accountSummaries().map(\.state) == [.cold])
        #expect(try cold.reading().search.indexes(scope).filter(\.isOutdated).map(\.analyser) == [4])
        let again = try await fixture.openWriter()
        while try await again.indexStep().from != nil {}
        try await again.close()
        _ = try fixture.archive.evict(account: "demo", level: 1)
        #expect(try cold.reading().search.indexes(scope).filter(\.isOutdated).isEmpty)
        #expect(
            try cold.reading().page(fixture.query(), matching: SearchScope(query: query("strasse"))).bodies == [
                "Straße"
            ])
    }

    // MARK: Exact letters

    private func exact(_ text: String) -> RegexSearch {
        RegexSearch(
            reading: fixture.archive.reading(),
            search: SearchScope(query: SearchQuery(parsing: text, exactLetters: true)),
            expression: nil, deadline: .now + .seconds(3600))
    }

    @Test(arguments: [
        ("\"Maße\"", ["die Maße"]), ("\"maße\"", []), ("\"Masse\"", ["die Masse"]), ("die -\"Maße\"", ["die Masse"]),
        ("(\"Maße\" from:alice) OR (\"Masse\" from:bob)", ["die Maße"]), ("NOT (\"Maße\" OR \"Masse\") die", []),
        ("masse", ["die Maße", "die Masse"]), ("\"die Masse\" OR чай", ["Ещё зелёный чай", "die Masse"]),
        ("\"еще\"", []), ("\"Ещё\"", ["Ещё зелёный чай"]),
    ])
    func `exact letters are compared among the hits`(text: String, bodies: [String]) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append(Self.texts.enumerated().map { .said($1, at: Int64($0), in: session) })
        try await writer.close()
        let (page, progress) = try exact(text).page(fixture.query(room: nil))
        #expect(page.bodies == bodies)
        #expect(!progress.isCut && progress.skipped == 0)
        let (counts, _) = try exact(text).count(scope: .accounts(["demo"]), by: .all)
        #expect(counts.map(\.count) == [Int64(bodies.count)])
    }

    // MARK: Order

    private func fillOrder() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let nfd = "김민수".decomposedStringWithCanonicalMapping
        let names = ["bob", "Zoë", "alice", "Øystein", "ወንድም", nfd, "김가", "Zoe", "zoe"]
        _ = try await writer.append(
            names.enumerated().map { index, name in
                .said(
                    "hi", at: Int64(index), by: name, in: session,
                    room: RoomReference(key: "k\(index)", name: name, kind: .channel))
            })
        try await writer.close()
    }

    private static let order = ["alice", "bob", "Øystein", "Zoe", "Zoë", "zoe", "ወንድም", "김가", "김민수"]

    @Test func `users are sorted by folded names, and composed names as decomposed ones`() async throws {
        try await fillOrder()
        let users = try fixture.archive.reading().users(scope: .accounts(["demo"]))
        #expect(users.map(\.name) == Self.order)
    }

    @Test func `rooms are sorted as users are`() async throws {
        try await fillOrder()
        let rooms = try fixture.archive.reading().roomList(accounts: ["demo"])
        #expect(rooms.map(\.name).filter { $0 != "lobby" } == Self.order)
    }
}
