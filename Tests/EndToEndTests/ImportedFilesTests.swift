import Foundation
import TestSupport
import Testing

/// Files beside an export, which its messages name.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ImportedFilesTests {
    private static let picture = [UInt8](0...255) + [UInt8](repeating: 7, count: 100_000)
    private static let chat = """
        21/11/2026, 06:23 - 민수: IMG-20261121-WA0001.jpg (file attached)
        21/11/2026, 06:24 - alice: IMG-20261121-WA0002.jpg (file attached)
        21/11/2026, 06:25 - alice: hi\n
        """
    private static let name = "WhatsApp Chat with 가족.txt"

    private func program() throws -> Program {
        var program = try Program()
        program.environment["TZ"] = "UTC"
        try FileManager.default.createDirectory(atPath: program.home + "/chat", withIntermediateDirectories: true)
        try program.write(Self.chat, to: "chat/" + Self.name)
        try Data(Self.picture).write(to: URL(filePath: program.home + "/chat/IMG-20261121-WA0001.jpg"))
        return program
    }

    /// The state and path of each attachment.
    private func attachments(_ scrollback: Program, _ account: String) async throws -> [String] {
        let listed = try await scrollback("attachments", "-a", account, "-n", "all", "--format", "jsonl")
        return try listed.output.split(separator: "\n").map { line in
            let row = try JSONDecoder().decode([String: JSONText].self, from: Data(line.utf8))
            return "\(row["state"]?.text ?? "") \(row["name"]?.text ?? "") \(row["bytes"]?.text ?? "")"
        }
    }

    /// A text of a JSON value of any kind.
    private struct JSONText: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            text = (try? value.decode(String.self)) ?? (try? value.decode(Int.self)).map(String.init) ?? ""
        }
    }

    private static let stored = [
        "here IMG-20261121-WA0001.jpg \(picture.count)", "elsewhere IMG-20261121-WA0002.jpg ",
    ]

    @Test func `files beside a chat are stored once by hash, from a folder or an archive`() async throws {
        let scrollback = try program()
        let rehearsal = try await scrollback("import", "chat", "-a", "wa", "--dry-run")
        #expect(rehearsal.errors.contains("  1 file beside the export\n"), "\(rehearsal.errors)")
        let first = try await scrollback("import", "chat", "-a", "wa")
        #expect(first.status == 0, "no file is skipped")
        let listed = try await scrollback("attachments", "-a", "wa").output
        #expect(listed.contains("not in the export") && !listed.contains("server"), "\(listed)")
        #expect(first.errors.contains("read 3 lines: 3 new messages, 0 already stored, 0 invalid\n"), "\(first.errors)")
        #expect(
            first.errors.hasSuffix(
                """
                  1 file beside the export stored (100.2 kB)
                  1 file not stored (not beside the export): IMG-20261121-WA0002.jpg
                no message is known as yours; to say who you are: scrollback archive me wa NAME\n
                """), "\(first.errors)")
        #expect(try await attachments(scrollback, "wa") == Self.stored)
        let again = try await scrollback("import", "chat", "-a", "wa")
        #expect(again.errors.contains("read 3 lines: 0 new messages, 3 already stored, 0 invalid\n"), "\(again.errors)")
        try Data(Self.picture.reversed()).write(to: URL(filePath: scrollback.home + "/chat/IMG-20261121-WA0002.jpg"))
        let later = try await scrollback("import", "chat", "-a", "wa")
        #expect(
            later.errors.contains("read 3 lines: 0 new messages, 1 changed, 2 already stored, 0 invalid\n"),
            "\(later.errors)")
        try ZipFile([
            .init("x/" + Self.name, Self.chat), .init("x/IMG-20261121-WA0001.jpg", Self.picture),
        ]).write(to: scrollback.home + "/chat.zip")
        let archive = try await scrollback("import", "chat.zip", "-a", "zip")
        #expect(archive.status == 0, "\(archive.errors)")
        #expect(try await attachments(scrollback, "zip") == Self.stored)
        for account in ["wa", "zip"] { #expect(try await scrollback("archive", "check", account).status == 0) }
    }

    @Test func `files that no message names are skipped, and --without-files stores none`() async throws {
        let scrollback = try program()
        try scrollback.write("words", to: "chat/notes.txt")
        let without = try await scrollback("import", "chat", "-a", "wa", "--without-files")
        #expect(without.status == 1)
        #expect(
            without.errors.contains("\n1 file skipped (unrecognised format): chat/notes.txt\n"),
            "\(without.errors)")
        #expect(try await attachments(scrollback, "wa").allSatisfy { $0.hasPrefix("elsewhere") })
        let with = try await scrollback("import", "chat", "-a", "wa", "--format", "json")
        #expect(with.status == 1)
        #expect(with.output.contains(#""state": "skipped""#))
        #expect(try await attachments(scrollback, "wa") == Self.stored)
    }

    @Test func `a file that slackdump stored has the address of its message`() async throws {
        let scrollback = try program()
        try ZipFile([
            .init("users.json", Array(#"[{"id": "U1", "name": "alice"}]"#.utf8)),
            .init("channels.json", Array(#"[{"id": "C1", "name": "general"}]"#.utf8)),
            .init(
                "general/2026-11-21.json",
                Array(
                    """
                    [{"type": "message", "user": "U1", "text": "see", "ts": "1795242181.000200", "files": [
                     {"id": "F1", "name": "a.png", "url_private": "https://example.org/F1"}]}]
                    """.utf8)), .init("__uploads/F1/a.png", Self.picture),
        ]).write(to: scrollback.home + "/slack.zip")
        let result = try await scrollback("import", "slack.zip", "-a", "slack")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("  1 file beside the export stored ("), "\(result.errors)")
    }

    @Test func `a path leads only to regular files in the export`() async throws {
        let scrollback = try program()
        let files = FileManager.default
        try scrollback.write("secret", to: "secret.txt")
        try files.createSymbolicLink(
            atPath: scrollback.home + "/chat/link.txt", withDestinationPath: scrollback.home + "/secret.txt")
        try files.createSymbolicLink(atPath: scrollback.home + "/chat/up", withDestinationPath: scrollback.home)
        #expect(mkfifo(scrollback.home + "/chat/pipe", 0o600) == 0)
        let paths = [
            "../secret.txt", "x/../../secret.txt", scrollback.home + "/secret.txt", "link.txt", "up/secret.txt", "pipe",
            "/dev/zero",
        ]
        let messages = paths.enumerated().map { index, path in
            """
            {"id": \(index + 1), "type": "message", "date": "2026-11-21T06:23:0\(index)", "date_unixtime": "179523380\(index)", \
            "from": "alice", "from_id": "user7", "file": "\(path)", "text": "\(index)"}
            """
        }
        try scrollback.write(
            #"{"name": "x", "type": "private_group", "id": 20, "messages": [\#(messages.joined(separator: ", "))]}"#,
            to: "chat/result.json")
        let result = try await scrollback("import", "chat/result.json", "-a", "tg")
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.errors.contains(
                "  \(paths.count) files not stored (the path leads out of the export or to no file): "),
            "\(result.errors)")
        #expect(try await attachments(scrollback, "tg").allSatisfy { $0.hasPrefix("elsewhere") })
    }

    @Test func `an export with files is imported with them`() async throws {
        let scrollback = try program()
        #expect(try await scrollback("import", "chat", "-a", "wa").status == 0)
        let plain = try await scrollback("export", "-a", "wa", "-o", "plain")
        #expect(plain.status == 0)
        let full = try await scrollback("export", "-a", "wa", "--with-files", "-o", "full")
        #expect(full.status == 0, "\(full.errors)")
        #expect(try await scrollback("backup", "verify", "full").status == 0)
        #expect(try await scrollback("import", "plain", "-a", "plain").status == 0)
        #expect(try await attachments(scrollback, "plain").first?.hasPrefix("missing") == true)
        let imported = try await scrollback("import", "full", "-a", "full")
        #expect(
            imported.status == 0 && imported.errors.contains("1 file beside the export stored"), "\(imported.errors)")
        #expect(try await attachments(scrollback, "full") == Self.stored)
        let completed = try await scrollback("import", "full", "-a", "plain")
        #expect(completed.status == 0, "\(completed.errors)")
        #expect(try await attachments(scrollback, "plain") == Self.stored)
        let appended = try await scrollback("export", "-a", "wa", "--append", "-o", "full")
        #expect(appended.status == 0 && appended.errors.contains("1 unchanged"), "\(appended.errors)")
        #expect(try await scrollback("backup", "verify", "full").status == 0)
        let stream = try await scrollback("export", "-a", "wa", "--with-files", "-o", "-")
        #expect(stream.status == 64 && stream.errors.contains("a stream has no files; name a folder with -o"))
        let folder = try #require(FileManager.default.enumerator(atPath: scrollback.data + "/accounts"))
        for case let path as String in folder where path.contains("/attachments/") && path.contains("wa-") {
            let file = scrollback.data + "/accounts/" + path
            if (try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType) == .typeRegular {
                try Data("damaged".utf8).write(to: URL(filePath: file))
            }
        }
        let damaged = try await scrollback("export", "-a", "wa", "--with-files", "-o", "damaged")
        #expect(
            damaged.status == 1 && damaged.errors.contains("1 file not exported: missing or damaged"),
            "\(damaged.errors)")
    }

    @Test func `a listener stores the messages and their files`() async throws {
        let scrollback = try program()
        #expect(try await scrollback("import", "chat", "-a", "wa", "--without-files").status == 0)
        try scrollback.write(
            "[[account]]\nname = \"irc\"\nnetwork = \"irc\"\nserver = \"127.0.0.1:1\"\nnick = \"a\"\nchannels = [\"#a\"]\n",
            to: "scrollback.toml")
        let listener = try scrollback.start("listen")
        let imported = try await scrollback("import", "chat", "-a", "irc")
        #expect(imported.status == 0, "\(imported.errors)\(listener.errors)")
        #expect(try await attachments(scrollback, "irc") == Self.stored)
        _ = try await listener.stop()
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `pictures of people in an export are stored once and belong to their people`() async throws {
        let scrollback = try Program()
        let folder = scrollback.home + "/discord/a.json_Files"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        try Data(png).write(to: URL(filePath: folder + "/alice.png"))
        let author = #"{"id": "7", "name": "alice", "isBot": false, "avatarUrl": "a.json_Files/alice.png"}"#
        let messages = (1...3).map {
            #"{"id": "\#($0)", "type": "Default", "timestamp": "2026-11-21T06:23:1\#($0)+00:00", "content": "hi", "#
                + #""author": \#(author)}"#
        }
        try scrollback.write(
            """
            {"guild": {"id": "1", "name": "Example", "iconUrl": null}, "channel": {"id": "20", "type": "GuildTextChat",
            "name": "example", "topic": "plans"}, "messages": [\(messages.joined(separator: ", "))]}
            """, to: "discord/a.json")
        let rehearsal = try await scrollback("import", "discord", "-a", "discord", "--dry-run")
        #expect(rehearsal.errors.contains("  1 file beside the export\n"), "\(rehearsal.errors)")
        let imported = try await scrollback("import", "discord", "-a", "discord")
        #expect(imported.errors.contains("  1 file beside the export stored (8 B)\n"), "\(imported.errors)")
        let users = try await scrollback("users", "-a", "discord", "--format", "json").output
        #expect(users.contains(#""picture": "a.json_Files/alice.png", "picture_sha256": ""#), "\(users)")
        #expect(try await scrollback("users", "-a", "discord").output.contains("PICTURE"))
        #expect(
            try await scrollback("rooms", "-a", "discord", "--format", "json").output.contains(
                #""description": "plans""#))
        #expect(try await scrollback("archive", "check").status == 0)
        let pages = ["export", "-a", "discord", "--format", "html", "--with-files", "-o", "pages"]
        let export = try await scrollback.start(arguments: pages).result()
        #expect(export.status == 0, "\(export.errors)")
        let files = try FileManager.default.subpathsOfDirectory(atPath: scrollback.home + "/pages")
        #expect(files.contains { $0.hasSuffix(".png") }, "\(files)")
        let page = try #require(files.first { $0.hasSuffix("2026-11.html") }, "\(files)")
        let text = try String(contentsOfFile: "\(scrollback.home)/pages/\(page)", encoding: .utf8)
        #expect(text.contains(#"<img class="face" src="../"#), "\(text)")
        let again = try await scrollback("import", "discord", "-a", "discord")
        #expect(again.errors.contains("3 already stored"), "\(again.errors)")
        #expect(try await scrollback("archive", "check").status == 0)
    }
}
