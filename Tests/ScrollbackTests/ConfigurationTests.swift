import Archive
import ChatModel
import Foundation
import Moves
import Sessions
import StreamChatWire
import TestSupport
import Testing

@testable import Rendering
@testable import Settings

/// Reading a configuration.
struct ConfigurationTests: ConfigurationSuite {
    @Test func `an account needs four keys, and the others have defaults`() throws {
        let configuration = try read(account)
        #expect(configuration.dataFolder == nil)
        let only = try #require(configuration.accounts.first)
        #expect(only.identity == AccountIdentity(name: "classroom", network: "streamchat"))
        guard let settings = only.network as? StreamChatSettings else { return }
        #expect(settings.server.host == "127.0.0.1")
        #expect(settings.server.port == 5080)
        #expect(settings.nick == "archiver")
        #expect(settings.room == "lobby")
        #expect(settings.framing == .chunk)
        #expect(settings.revision == .august2021)
        #expect(settings.continuation == .milliseconds(30))
        #expect(settings.maximumUnitBytes == 65_536)
        #expect(settings.signOfLifeInterval == .seconds(10))
        #expect(settings.bufferBytes == 4_194_304)
    }

    @Test func `limits of plain files are read, and invalid ones reported`() throws {
        let limits = try read("hot_accounts = 100\nhot_bytes = \"20GB\"\ncold_level = 19\n" + account).hot
        #expect(limits == HotLimits(accounts: 100, bytes: 20_000_000_000, level: 19))
        #expect(try read(account).hot == HotLimits())
        #expect(
            try problems("hot_accounts = 0\nhot_bytes = \"20\"\ncold_level = 20\n" + account) == [
                ":1: hot_accounts: expected 1 to 1000000, found 0",
                ":2: hot_bytes: expected a number with kB, MB, GB or TB such as \"500MB\", found \"20\"",
                ":3: cold_level: expected 1 to 19, found 20",
            ])
    }

    @Test func `every key is read`() throws {
        let configuration = try read(
            """
            data = "archive"
            \(account)room = "교실"
            framing = "end"
            revision = "2021-04"
            continuation_ms = 0
            max_unit_bytes = 2048
            sign_of_life_seconds = 1
            buffer_bytes = 65536
            """)
        #expect(configuration.dataFolder == "etc/archive")
        let settings = try #require(configuration.accounts.first?.network as? StreamChatSettings)
        #expect(settings.room == "교실")
        #expect(settings.framing == .end)
        #expect(settings.revision == .april2021)
        #expect(settings.continuation == .zero)
    }

    @Test func `names of bots apply to the accounts of the configuration's archive`() throws {
        let folder = try TemporaryFolder()
        let (data, file) = (folder.path + "/data", folder.path + "/scrollback.toml")
        let text = "data = \"data\"\n\(account)bots = [\"ChanServ\", \"relay\"]\n"
        #expect(try read(text).accounts.first?.bots == ["ChanServ", "relay"])
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let search = FolderSearch(config: file, environment: [:])
        #expect(search.bots(of: Archive(folder: data).reading()) == ["classroom": ["ChanServ", "relay"]])
        #expect(search.bots(of: Archive(folder: folder.path + "/other").reading()).isEmpty)
        try "data = \"data\"\nbots = [\"방장봇\", \"classroom/helper\"]\n\(text.dropFirst(14))"
            .write(toFile: file, atomically: true, encoding: .utf8)
        var hidden: HiddenMessages = [.bots]
        hidden.bots = search.bots(of: Archive(folder: data).reading())
        #expect(hidden.bots(of: "classroom") == ["ChanServ", "relay", "helper", "방장봇", "classroom/helper"])
        #expect(hidden.bots(of: "kakaotalk") == ["방장봇", "classroom/helper"])
        #expect(try problems("\(account)bots = \"ChanServ\"").first?.contains("bots: expected a list") == true)
    }

    @Test(arguments: [
        ("scrollback.toml", "archive", "archive"), ("etc/scrollback.toml", "archive", "etc/archive"),
        ("/etc/scrollback.toml", "../archive", "/etc/../archive"), ("etc/x.toml", "/srv/a", "/srv/a"),
        ("etc/x.toml", "~/a", "/home/alice/a"),
    ])
    func `the data folder is relative to the file`(path: String, data: String, folder: String) throws {
        #expect(try read("data = \"\(data)\"\n" + account, path: path).dataFolder == folder)
    }

    @Test(arguments: [
        "a = [\n[ # one\n1],\n[\n2]]\nb = \"\"\"\n[=\"\"\"\n", "a = +1_000\nb = -0.5e-3\nc = [0x1F, 0o17, 0b1, +inf]",
        "a = 1979-05-27\nb = 07:32:00.5\nc = 1979-05-27T07:32:00Z # d\ne = 1979-05-27 07:32:00-07:00\n",
        "a = 1979-05-27 # b\nc = { 1x = 2, 3-4.5 = 6 }",
    ])
    func `a configuration can use all of TOML`(text: String) throws {
        _ = try ConfigurationFile.parse(text, path: "a.toml")
    }

    @Test(arguments: [
        ("tcp://[::1]:5080", "::1", 5080), ("tcp://chat.example.net:1", "chat.example.net", 1),
        ("tcp://localhost:65535/", "localhost", 65_535),
    ])
    func `a server is a host and a port`(text: String, host: String, port: Int) throws {
        let address = try #require(ServerAddress(text))
        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test(arguments: [("forever", nil), ("1h", 3600), ("90d", 7_776_000), ("4w", 2_419_200)])
    func `raw payloads are kept forever or for a time`(text: String, seconds: Int?) throws {
        let read = try read(account + "\nraw_keep = \"\(text)\"")
        #expect(read.accounts[0].retention.rules.rawRule?.age == seconds.map { .seconds($0) })
    }

    @Test func `an account names its owner, and an empty name is refused`() throws {
        #expect(try read(account + "\nme = [\"alice\", \"민수\"]").accounts[0].me == ["alice", "민수"])
        #expect(try read(account).accounts[0].me == [])
        let found = try problems(account + "\nme = [\" \"]")
        #expect(found.count == 1 && found[0].hasPrefix(":7: account \"classroom\": me: expected names and ids"))
    }

    @Test(arguments: [
        ("", AttachmentSettings.Fetched.none, 20_000_000), ("attachments = \"all\"", .all, 20_000_000),
        ("attachment_size_limit = \"500kB\"", .none, 500_000),
    ])
    func `the configuration decides which files are fetched`(
        text: String, attachments: AttachmentSettings.Fetched, limit: Int64
    ) throws {
        let settings = try #require(read(workspace + text).accounts.first?.network as? SLPSettings)
        #expect(settings.files.fetched == attachments)
        #expect(settings.files.sizeLimit == limit)
    }
}
