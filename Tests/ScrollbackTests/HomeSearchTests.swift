import ChatModel
import Foundation
import LogFormats
import Synchronization
import TestSupport
import Testing

@testable import Exporting
@testable import Importing
@testable import Scrollback

/// What an import finds in a home, and what it leaves alone.
struct HomeSearchTests {
    private let folder: TemporaryFolder
    private var home: String { folder.path + "/alice" }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/alice", withIntermediateDirectories: false)
    }

    private func write(_ text: String, to name: String) throws {
        let file = URL(filePath: home + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func search() -> HomeSearch {
        var search = HomeSearch(home, options: ImportOptions(zone: .gmt)) { false }
        search.find { _ in }
        return search
    }

    /// Each find as `irssi libera: irclogs/libera/#example.log`, sorted.
    private func found(_ search: HomeSearch) -> [String] {
        search.finds.map { find in
            let files = find.search.sources.flatMap(\.files).map { $0.shown.replacing(home + "/", with: "") }
            return "\(find.facts.program) \(find.facts.name ?? "-"): \(files.joined(separator: " "))"
        }.sorted()
    }

    private static let irssi = "--- Log opened Sat Nov 21 06:23:11 2026\n06:23 < alice> hi\n06:24 < 민수> 안녕\n"
    private static let znc = "[06:23:11] *** Joins: bob (~bob@host)\n[06:23:12] <bob> hi\n"
    private static let weechat = "2026-11-22 06:23:11\talice\thi\n"
    private static let whatsapp = "2026. 11. 21. 오전 6:23 - 엄마: 밥 먹었니?\n2026. 11. 21. 오전 6:24 - 민수: 네\n"

    @Test func `logs are found at the places of their programs and by content in other folders`() throws {
        try write(Self.irssi, to: "irclogs/libera/#example.log")
        try write(Self.weechat, to: ".local/share/weechat/logs/irc.oftc.#example.weechatlog")
        try write(Self.weechat, to: ".local/share/weechat/logs/core.weechat.weechatlog")
        try write(Self.znc, to: ".znc/users/bob/networks/libera/moddata/log/#example/2026-11-21.log")
        try write("password = x\n", to: ".znc/configs/znc.conf")
        try write(Self.whatsapp, to: "Downloads/WhatsApp Chat with 엄마.txt")
        try write("eggs\nmilk\n", to: "Documents/notes.txt")
        #expect(
            found(search()) == [
                "WeeChat oftc: .local/share/weechat/logs/irc.oftc.#example.weechatlog",
                "WhatsApp -: Downloads/WhatsApp Chat with 엄마.txt",
                "ZNC libera: .znc/users/bob/networks/libera/moddata/log/#example/2026-11-21.log",
                "irssi libera: irclogs/libera/#example.log",
            ])
    }

    @Test func `logs of one network go into one account, and are counted`() async throws {
        try write(Self.irssi, to: "irclogs/libera/#example.log")
        try write(Self.weechat, to: ".weechat/logs/irc.libera.#example.weechatlog")
        try write(Self.weechat, to: ".weechat/logs/irc.libera.#other.weechatlog")
        try write(Self.whatsapp, to: "WhatsApp Chat with 엄마.txt")
        var search = search()
        search.proposeAccounts(among: [AccountIdentity(name: "whatsapp", network: "irc")], logNetwork: "log")
        #expect(try await search.count { _, _ in })
        let facts = search.finds.map(\.facts)
        #expect(facts.map(\.number) == [1, 2, 3])
        #expect(facts.map { $0.account?.name } == ["libera", "libera", "whatsapp-2"])
        #expect(facts.map(\.isNew) == [true, true, true])
        #expect(facts.map { $0.count?.messages } == [2, 2, 2])
        #expect(facts.map { $0.count?.rooms } == [1, 2, 1])
        #expect(facts.map { $0.count?.first?.description.prefix(10) } == ["2026-11-21", "2026-11-22", "2026-11-21"])
    }

    @Test func `an account that an import created is used again`() throws {
        try write(Self.irssi, to: "irclogs/libera/#example.log")
        var search = search()
        search.proposeAccounts(among: [AccountIdentity(name: "libera", network: "log")], logNetwork: "log")
        #expect(search.finds.map(\.facts.account?.name) == ["libera"] && search.finds.map(\.facts.isNew) == [false])
    }

    @Test func `each network of a database has a find of its own`() throws {
        let path = home + "/.config/quassel-irc.org/quassel-storage.sqlite"
        try write("", to: ".config/quassel-irc.org/x")
        try SQLiteFixture.write(
            ClientDatabase.quassel + ClientDatabase.quasselNetwork(1, "libera")
                + ClientDatabase.quasselNetwork(2, "oftc")
                + ClientDatabase.quassel(1_795_242_191_123, "alice", "hi")
                + ClientDatabase.quassel(1_795_242_191_123, "alice", "hi", buffer: 2), to: path)
        let search = search()
        #expect(search.finds.map(\.facts.name) == ["libera", "oftc"])
        #expect(search.finds.map(\.search.options.choices.network) == ["libera", "oftc"])
        #expect(search.finds.map(\.facts.program) == ["Quassel", "Quassel"])
    }

    @Test func `no link is followed`() throws {
        let outside = folder.path + "/bob"
        try FileManager.default.createDirectory(atPath: outside + "/logs", withIntermediateDirectories: true)
        try Data(Self.irssi.utf8).write(to: URL(filePath: outside + "/logs/#example.log"))
        let manager = FileManager.default
        try write(Self.irssi, to: "irclogs/libera/#own.log")
        try manager.createSymbolicLink(
            atPath: home + "/irclogs/libera/#example.log", withDestinationPath: outside + "/logs/#example.log")
        try manager.createSymbolicLink(atPath: home + "/chat", withDestinationPath: outside + "/logs")
        try manager.createSymbolicLink(atPath: home + "/.purple", withDestinationPath: outside)
        #expect(found(search()) == ["irssi libera: irclogs/libera/#own.log"])
    }

    @Test func `secrets, hidden folders, sources, caches and Scrollback's own folders are left alone`() throws {
        for name in [
            "passwords 2026-11-21.txt", ".ssh/#example.log", "code/.git/HEAD", "code/logs/#example.log",
            "cache/CACHEDIR.TAG", "cache/#example.log", "node_modules/#example.log",
            "archive/catalog.sqlite", "archive/accounts/a-1/attachments/#example.log",
            "copy/writer", "copy/lock", "copy/#example.log", "out/#example/2026-11.log",
        ] {
            try write(Self.irssi, to: name)
        }
        try write(#"{"export":{"account":"a","format":"text"}}"#, to: "out/manifest.jsonl")
        try write(
            #"{"id": "2026-11-21T06:23:01.000000Z", "kind": "message", "room": "lobby", "body": "hi"}"#,
            to: "chat/a.jsonl")
        #expect(found(search()) == [])
        try write(Self.irssi, to: "more/#secret-santa.log")
        #expect(found(search()).map { $0.suffix(22) } == ["more/#secret-santa.log"])
    }

    @Test func `an export beside other downloads doesn't hide them`() throws {
        try write(
            #"{"name": "example", "type": "private_supergroup", "id": 20, "messages": []}"#, to: "Downloads/result.json"
        )
        try write("<!DOCTYPE html>\n<html>\n", to: "Downloads/page/messages.html")
        try write(Self.irssi, to: "Downloads/irclogs/libera/#example.log")
        #expect(
            found(search()) == [
                "Telegram Desktop -: Downloads/result.json",
                "irssi libera: Downloads/irclogs/libera/#example.log",
            ])
    }

    @Test func `files at a program's place that no format reads are counted with their kind`() throws {
        try write("%PDF-1.7\n", to: ".kvirc/log/a.log")
        try write("words\n", to: ".kvirc/log/b.log")
        try write("words\n", to: "Documents/b.log")
        let search = search()
        #expect(search.unread.map(\.path) == [home + "/.kvirc/log"] && search.unread.map(\.files) == [2])
        #expect(search.unread.map(\.reason) == ["PDF document"])
    }

    @Test func `a database that a program has open is skipped, and named with the program`() async throws {
        let path = home + "/.config/quassel-irc.org/quassel-storage.sqlite"
        try write("", to: ".config/quassel-irc.org/x")
        try SQLiteFixture.write(
            ClientDatabase.quassel + ClientDatabase.quasselNetwork(1, "libera")
                + ClientDatabase.quassel(1_795_242_191_123, "alice", "hi"), to: path)
        let program = Process()
        let (input, output) = (Pipe(), Pipe())
        program.executableURL = URL(filePath: "/bin/sh")
        program.arguments = ["-c", "exec 3<\"$1\"; echo open; read line", "sh", path]
        (program.standardInput, program.standardOutput) = (input, output)
        try program.run()
        #expect(output.fileHandleForReading.availableData == Data("open\n".utf8))
        let search = search()
        #expect(search.finds.isEmpty)
        #expect(search.databasesInUse.map(\.path) == [path])
        #expect(
            search.databasesInUse.first?.program.hasSuffix("(process \(program.processIdentifier))") == true,
            "\(search.databasesInUse)")
        try input.fileHandleForWriting.close()
        program.waitUntilExit()
        #expect(self.search().finds.count == 1)
    }

    @Test func `what was found before the time was over is kept`() throws {
        try write(Self.irssi, to: "archive/#example.log")
        for number in 0..<300 { try write("eggs\nmilk\n", to: "notes/\(number).txt") }
        // The time is over after 450 looks at the clock: one for each file's name, and then some for each file.
        let time = Watched(ContinuousClock.now)
        let now: @Sendable () -> ContinuousClock.Instant = {
            time.change { time in
                time += .seconds(8) / 450
                return time
            }
        }
        var search = HomeSearch(home, options: ImportOptions(zone: .gmt), now: now) { false }
        search.find { _ in }
        #expect(search.isIncomplete)
        #expect(search.finds.map(\.facts.program) == ["irssi"])
    }

    @Test func `a home is the user's own, or has the files of a shell or a desktop`() throws {
        #expect(HomeSearch.isHome(home, own: home) && HomeSearch.isHome(home + "/", own: home))
        #expect(!HomeSearch.isHome(home, own: "/root"))
        try write("", to: ".bashrc")
        #expect(HomeSearch.isHome(home, own: nil))
        #expect(!HomeSearch.isHome(home + "/.bashrc", own: home) && !HomeSearch.isHome(home + "/none", own: nil))
    }

    @Test(arguments: [
        ("#example.log", "", HomeName.likely), ("#example", "", .likely), ("libera_#example_20261121.log", "", .likely),
        ("2026-11-21.log", "", .likely), ("20261121.txt.gz", "", .likely), ("irc.libera.#a.weechatlog.1", "", .likely),
        ("WhatsApp Chat with Minsu.zip", "Downloads/", .likely), ("KakaoTalkChats.txt", "", .likely),
        ("카카오톡 대화.csv", "", .likely),
        ("카카오톡 대화.csv".decomposedStringWithCanonicalMapping, "", .likely), ("notes.txt", "Chats/", .likely),
        ("alice.log", "old/IRC/", .likely), ("result.json", "a/", .likely), ("notes.txt", "Documents/", .possible),
        ("2026-11-21.json", "", .possible), ("example.zip", "", .other), ("example.csv", "", .other),
        ("a.jpg", "irc/", .other), ("passwords-2026-11-21.txt", "", .other), ("README", "", .other), ("", "", .other),
    ])
    func `a file's name says how likely the file is a log`(name: String, folder: String, kind: HomeName) {
        #expect(HomeName(name, in: folder) == kind)
    }

    @Test(arguments: [
        ("1", [1]), ("1,3", [1, 3]), (" 2 , 4-6 ", [2, 4, 5, 6]), ("3-1", nil), ("0", nil), ("x", nil), ("", nil),
        ("1-", nil), ("-1", nil), ("1-2-3", nil), ("1-999999999999", nil),
    ])
    func `an answer has numbers and ranges of the table`(text: String, numbers: [Int]?) {
        #expect(ImportCommand.numbers(text) == numbers.map(Set.init))
    }
}
