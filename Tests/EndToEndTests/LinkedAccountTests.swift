import Foundation
import TestSupport
import Testing

/// Accounts whose files lie elsewhere, behind symbolic links.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct LinkedAccountTests {
    private let scrollback: Program
    private let elsewhere: String

    init() async throws {
        scrollback = try Program()
        elsewhere = scrollback.home + "/elsewhere"
        try await StoredRoom.store([StoredRoom.Said(name: "alice", text: "canarywort")], for: scrollback)
    }

    private var account: String {
        get throws {
            let accounts = scrollback.data + "/accounts"
            let names = try FileManager.default.contentsOfDirectory(atPath: accounts).filter { !$0.hasPrefix(".") }
            return accounts + "/" + (try #require(names.first))
        }
    }

    /// Moves a folder away and puts a link in its place.
    private func link(_ path: String) throws {
        try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
    }

    private func expectRefused(_ path: String) async throws {
        let before = try FileManager.default.subpathsOfDirectory(atPath: scrollback.home)
        for arguments in [["archive", "erase", "demo", "--execute"], ["archive", "erase", "demo"]] {
            let run = try await scrollback.start(arguments: arguments).result()
            #expect(run.status == 1 && !run.errors.contains("erased demo"), "\(run.errors)")
            #expect(
                run.errors.contains("\(path) is a link to \(elsewhere); nothing was erased")
                    && run.errors.contains("[linked]"),
                "\(run.errors)")
        }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: scrollback.home) == before)
    }

    @Test func `a linked account is not erased, and the error names the link`() async throws {
        let path = try account
        try link(path)
        try await expectRefused(path)
    }

    @Test func `an account with linked files is not erased`() async throws {
        let path = try account + "/attachments"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try link(path)
        try await expectRefused(path)
    }

    @Test func `an account in a linked folder of accounts is erased where it is`() async throws {
        try link(scrollback.data + "/accounts")
        let run = try await scrollback("archive", "erase", "demo", "--execute")
        #expect(run.status == 0 && run.errors.hasPrefix("erased demo: "), "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    }

    @Test func `a linked account is compressed, restored, compacted, backed up and cleared of a person`() async throws {
        try link(try account)
        for arguments in [
            ["archive", "compress", "demo"], ["archive", "restore", "demo"],
            ["archive", "compact", "demo", "--execute"],
            ["backup", "--all", "backup"], ["archive", "check"],
            ["retention", "forget", "-a", "demo", "--user", "alice", "--delete", "--execute"],
            ["backup", "--all", "backup"], ["archive", "check", "--data", "backup"],
        ] {
            let run = try await scrollback.start(arguments: arguments).result()
            #expect(run.status == 0, "\(arguments): \(run.errors)")
        }
        for folder in [elsewhere, scrollback.home + "/backup"] {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                let bytes = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
                #expect(bytes.range(of: Data("canarywort".utf8)) == nil, "\(name)")
            }
        }
    }

    @Test func `files on an unmounted disk are not reported as forgotten`() async throws {
        try scrollback.write(
            """
            {"name": "chat", "type": "private_group", "id": 1, "messages": [{"id": 1, "type": "message", \
            "date": "2026-09-21T10:00:00", "date_unixtime": "1790000000", "from": "bob", "from_id": "user8", \
            "text": "words", "text_entities": [], "photo": "p.jpg"}]}
            """, to: "result.json")
        try scrollback.write("canarybytes", to: "p.jpg")
        #expect(try await scrollback("archive", "erase", "demo", "--execute").status == 0)
        #expect(try await scrollback("import", "result.json", "-a", "tele").status == 0)
        try link(try account + "/attachments")
        try FileManager.default.moveItem(atPath: elsewhere, toPath: elsewhere + "-unmounted")
        let forget = ["retention", "forget", "-a", "tele", "--user", "bob", "--delete", "--execute"]
        let run = try await scrollback.start(arguments: forget).result()
        #expect(run.status == 1 && run.errors.contains("is a link to nothing"), "\(run.errors)")
        try FileManager.default.moveItem(atPath: elsewhere + "-unmounted", toPath: elsewhere)
        try scrollback.write("[03:41] <eve> hi\n", to: "#chat_2026-11-21.log")
        #expect(
            try await scrollback("import", "#chat_2026-11-21.log", "-a", "tele", "--timezone", "UTC").status == 0)
        #expect(try await scrollback("archive", "check").status == 0)
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: elsewhere).allSatisfy { !$0.contains("/") },
            "the next writer removed it")
    }
}
