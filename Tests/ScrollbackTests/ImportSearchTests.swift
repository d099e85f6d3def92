import ChatModel
import Foundation
import LogFormats
import Rendering
import TestSupport
import Testing

@testable import Exporting
@testable import Importing
@testable import Scrollback

/// The sources that an import finds in folders, and their formats.
struct ImportSearchTests: ImportFolder {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a folder's files are sorted by path, and recognised or skipped`() async throws {
        try write(Self.line, to: "logs/2026-11-20.log")
        try write(Packed.gzip(Self.line) + Packed.gzip("[03:42] <bob> 안녕\n"), to: "logs/b/c/2026-11-21.log.gz")
        try write(#"{"id": "2026-11-21T06:23:01.000000Z", "kind": "message", "body": "hi"}"#, to: "logs/a/x.jsonl")
        try write([0xFF, 0xD8, 0, 1], to: "logs/b/2026-11-20.jpg")
        try write("some words\n", to: "logs/notes.txt")
        try write("", to: "logs/empty.log")
        try write(Self.line, to: "logs/.hidden/2026-11-20.log")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/logs/b/up", withDestinationPath: folder.path + "/logs")
        var search = search("logs")
        #expect(
            found(search) == [
                "energymech: logs/2026-11-20.log", "jsonl: logs/a/x.jsonl", "energymech: logs/b/c/2026-11-21.log.gz",
            ])
        let told = summary(&search)
        #expect(
            told == """
                logs/a/x.jsonl: jsonl
                2 files: energymech
                1 file skipped (unrecognised format): logs/notes.txt
                1 file skipped (image): logs/b/2026-11-20.jpg; messages that name it keep its name\n
                """)
        #expect(search.report.troubles == 0)
        #expect(search.report.isIncomplete)
        #expect(try await read(search).bodies == ["hi", "hi", "hi", "안녕"])
    }

    @Test func `links in a folder are not followed, and those that lead out of it are reported`() throws {
        try write(Self.line, to: "logs/a/2026-11-20.log")
        try write(Self.line, to: "logs-old/2026-11-19.log")
        for (link, target) in [
            ("logs/latest-2026-11-20.log", "a/2026-11-20.log"), ("logs/a/up", ".."),
            ("logs/gone.log", "2026-11-18.log"),
            ("logs/old.log", "../logs-old/2026-11-19.log"), ("logs/old", folder.path + "/logs-old"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/" + link, withDestinationPath: target)
        }
        var search = search("logs")
        #expect(found(search) == ["energymech: logs/a/2026-11-20.log"])
        let skipped = summary(&search).split(separator: "\n").dropFirst()
        #expect(skipped.count == 1 && skipped.first?.hasPrefix("2 files skipped (link out of the folder): ") == true)
        #expect(skipped.first?.hasSuffix("; to import its target, name the link") == true)
        #expect(found(self.search("logs/old", "logs/latest-2026-11-20.log")).count == 2)
    }

    @Test func `the list of an export of several accounts is not reported as skipped`() throws {
        let list = try JSONEncoder().encode(ExportCollection(format: "jsonl", hasAll: true))
        try write([UInt8](list), to: "out/accounts.json")
        try write(#"{"id": "2026-11-21T06:23:01.000000Z", "kind": "message", "body": "hi"}"#, to: "out/a/x.jsonl")
        var search = search("out")
        #expect(found(search) == ["jsonl: out/a/x.jsonl"])
        #expect(!summary(&search).contains("skipped"))
        #expect(found(self.search("out", format: JSONLinesFormat.self)) == ["jsonl: out/a/x.jsonl"])
    }

    @Test func `a folder's own WeeChat log is skipped with a line, and the import is complete`() throws {
        for name in ["core.weechat", "irc.libera.#example", "irc.server.libera"] {
            try write("2026-11-21 06:23:11\talice\thi\n", to: "logs/\(name).weechatlog")
        }
        let printed = Watched("")
        var search = ImportSearch(
            options: ImportOptions(format: nil, room: nil, zone: .gmt, folding: .rfc1459),
            report: ImportReport(
                isRehearsal: false, output: ImportOutput(print: { text in printed.change { $0 += text } })))
        search.find(folder.path + "/logs")
        #expect(
            found(search) == [
                "weechat: logs/irc.libera.#example.weechatlog", "weechat: logs/irc.server.libera.weechatlog",
            ])
        #expect(printed.value == "\(folder.path)/logs/core.weechat.weechatlog: skipped (weechat's own messages)\n")
        search.skipUnrecognised()
        #expect(!search.report.isIncomplete)
    }

    @Test func `a Trillian log is skipped with a line if its XML lies beside it, and the import is complete`() throws {
        let text = "Session Start (ICQ - 1000:Bob): Sat Nov 21 06:23:11 2026\n[06:23] Bob: hi\n"
        for name in ["ICQ/Query/2000.log", "ICQ/Query/3000.log"] { try write(text, to: "logs/\(name)") }
        for name in ["ICQ/Query/2000.xml", "ICQ/Channel/3000.xml"] {
            try write(
                #"<message type="incoming_privateMessage" time="1795242191" medium="ICQ" from="b" text="hi"/>"#,
                to: "logs/\(name)")
        }
        let printed = Watched("")
        var search = ImportSearch(
            options: ImportOptions(format: nil, room: nil, zone: .gmt, folding: .rfc1459),
            report: ImportReport(
                isRehearsal: false, output: ImportOutput(print: { text in printed.change { $0 += text } })))
        search.find(folder.path + "/logs")
        #expect(
            found(search) == [
                "trillian: logs/ICQ/Channel/3000.xml", "trillian: logs/ICQ/Query/2000.xml",
                "trillian-log: logs/ICQ/Query/3000.log",
            ])
        #expect(printed.value == "\(folder.path)/logs/ICQ/Query/2000.log: skipped (2000.xml has its messages)\n")
        search.skipUnrecognised()
        #expect(!search.report.isIncomplete)
        #expect(found(self.search("logs/ICQ/Query/2000.log")) == ["trillian-log: logs/ICQ/Query/2000.log"])
        #expect(
            found(self.search("logs/ICQ/Query", format: TrillianTextFormat.self)) == [
                "trillian-log: logs/ICQ/Query/2000.log", "trillian-log: logs/ICQ/Query/2000.xml",
                "trillian-log: logs/ICQ/Query/3000.log",
            ])
    }

    @Test func `a Trillian log is read if the XML beside it is empty, of another kind, or begins later`() throws {
        let text = "Session Start (ICQ - 1000:Bob): Sat Nov 21 06:23:11 2026\n[06:23] Bob: hi\n"
        let later = #"<message type="incoming_privateMessage" time="1797242191" medium="ICQ" from="b" text="hi"/>"#
        for (number, xml) in [("1000", ""), ("2000", "<html>hi</html>"), ("3000", later)] {
            try write(text, to: "logs/ICQ/Query/\(number).log")
            try write(xml, to: "logs/ICQ/Query/\(number).xml")
        }
        let printed = Watched("")
        var search = ImportSearch(
            options: ImportOptions(format: nil, room: nil, zone: .gmt, folding: .rfc1459),
            report: ImportReport(
                isRehearsal: false, output: ImportOutput(print: { text in printed.change { $0 += text } })))
        search.find(folder.path + "/logs")
        #expect(
            found(search) == [
                "trillian-log: logs/ICQ/Query/1000.log", "trillian-log: logs/ICQ/Query/2000.log",
                "trillian-log: logs/ICQ/Query/3000.log", "trillian: logs/ICQ/Query/3000.xml",
            ])
        let query = "\(folder.path)/logs/ICQ/Query"
        #expect(printed.value.contains("\(query)/3000.log: read, because 3000.xml lacks its first messages\n"))
    }

    @Test func `a file without a message of the given format is an error`() async throws {
        try write([0x80, 0x01, 0x02, 0x0A], to: "random.bin")
        try write("", to: "empty.xml")
        try write(#"<session type="start" time="1795242191" medium="ICQ" to="a" from="b"/>"#, to: "quiet.xml")
        try write("words", to: "folder/words.xml")
        let (_, troubles) = try await read(search("random.bin", "empty.xml", "quiet.xml", format: TrillianFormat.self))
        #expect(
            troubles == [
                "random.bin: no message of trillian found; to recognise the format: scrollback import FILE"
            ])
        #expect(try await read(search("folder", format: TrillianFormat.self)).troubles == [])
    }

    @Test func `the other files of a Slack export leave the import complete`() throws {
        try write(#"[{"id": "U1", "name": "alice"}]"#, to: "in/users.json")
        try write(#"[{"id": "C1", "name": "general"}]"#, to: "in/channels.json")
        try write("[]", to: "in/canvases.json")
        try write("[]", to: "in/integration_logs.json")
        try write("[]", to: "in/general/2026-11-21.json")
        var search = search("in")
        #expect(summary(&search) == "in: slack\n")
        #expect(!search.report.isIncomplete)
    }

    @Test func `the hint for a log without a room fits its program`() {
        let chat = ImportError(.noRoom, of: "a.txt", as: KakaoTalkFormat.self)
        #expect(chat.description == "a.txt: can't tell which room this log belongs to; add --room NAME")
        #expect(ImportError(.noRoom, of: "a.log", as: EnergymechFormat.self).hint == "add --room '#example'")
    }

    @Test func `an unusable source is an error with advice`() throws {
        try write("some words\n", to: "notes.txt")
        try write("some words\n", to: "folder/notes.txt")
        try write([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 1], to: "2026-11-20.log.xz")
        try write([0x50, 0x4B, 3, 4, 0, 0], to: "broken.zip")
        try FileManager.default.createDirectory(atPath: folder.path + "/empty", withIntermediateDirectories: false)
        for name in ["notes.txt", "folder", "2026-11-20.log.xz", "broken.zip", "empty", "none"] {
            let search = search(name)
            #expect(search.report.troubles == 1, "\(name)")
            #expect(search.sources.isEmpty, "\(name)")
        }
    }

    @Test func `a folder of another program's logs is an error with its name`() throws {
        try write("some words\n", to: "logs/a.txt")
        try write([0xFF, 0xD8, 0xFF, 1], to: "logs/b.jpg")
        try write("### Log session started at Sat Nov 21 06:23:11 2026 ###\n<alice> hi\n", to: "logs/irc.log")
        let printed = Watched("")
        var search = ImportSearch(
            options: ImportOptions(format: nil, room: nil, zone: .gmt, folding: .rfc1459),
            report: ImportReport(
                isRehearsal: false, output: ImportOutput(print: { text in printed.change { $0 += text } })))
        search.find(folder.path + "/logs")
        search.report.printErrors()
        #expect(
            printed.value.contains(
                "none of its files has a known format; irc.log is a log of KVIrc 3; "
            ),
            "\(printed.value)")
    }

    @Test func `an export of several files is one source in its format's order`() async throws {
        let files = [("s/a/1.txt", "one"), ("s/b.txt", "two\nthree\n"), ("s/index", ""), ("s/x.jpg", "")]
        for (name, text) in files { try write(text, to: "in/" + name) }
        try ZipFile(files.map { .init($0.0, $0.1) }).write(to: folder.path + "/in.zip")
        for container in ["in", "in.zip"] {
            var search = search(container, format: LineCountFormat.self)
            #expect(found(search) == ["export: \(container)/s/a/1.txt \(container)/s/b.txt"])
            #expect(search.sources.first?.shown == "\(folder.path)/\(container)/s")
            #expect(summary(&search).hasPrefix("2 files skipped (not export): "))
            #expect(try await read(search).bodies == ["1 a/1.txt:1 one", "2 b.txt:1 two", "3 b.txt:2 three"])
        }
    }

    @Test func `files beside an export are not skipped`() async throws {
        for (name, text) in [("s/1.txt", "one"), ("s/index", ""), ("t/x", "three")] {
            try write(text, to: "in/" + name)
        }
        let search = search("in/", format: LineCountFormat.self)
        #expect(found(search) == ["export: in/s/1.txt", "export: in/t/x"])
    }

    @Test func `a recognised log with zero bytes is read, and a picture never`() async throws {
        try write([0, 0] + Array("\n\(Self.line)".utf8), to: "in/2026-11-20.log")
        try write([0xFF, 0xD8, 0, 1], to: "in/2026-11-21.jpg")
        for format in [nil, EnergymechFormat.self] as [(any LogFormats.LogFormat.Type)?] {
            var search = search("in", format: format)
            #expect(found(search) == ["energymech: in/2026-11-20.log"])
            search.skipUnrecognised()
            #expect(search.report.skipped.count == 1)
            #expect(try await read(search).bodies == ["hi"])
        }
    }

    @Test func `an mIRC log is not taken for another's`() async throws {
        let log = """
            Session Start: Sat Nov 21 06:23:11 2026
            Session Ident: #example
            [06:23] * Now talking in #example
            [06:24] <alice> hi
            """
        try write(log, to: "in/#example.20261121.log")
        try write(Self.line, to: "in/2026-11-20.log")
        let search = search("in")
        #expect(found(search) == ["mirc: in/#example.20261121.log", "energymech: in/2026-11-20.log"])
        #expect(!search.report.isIncomplete)
    }

    @Test func `the first word is a format unless it must be a file`() throws {
        func words(_ words: String..., files: [String] = []) throws -> [String] {
            let found = try ImportWords(words) { files.contains($0) }
            return [found.format?.name ?? "-"] + found.paths
        }
        #expect(try words("jsonl", "x") == ["jsonl", "x"])
        #expect(try words("jsonl", "x", files: ["jsonl", "x"]) == ["jsonl", "x"])
        #expect(try words("./jsonl", "x", files: ["./jsonl"]) == ["-", "./jsonl", "x"])
        #expect(try words("jsonl", files: ["jsonl"]) == ["-", "jsonl"])
        #expect(try words("x", "jsonl") == ["-", "x", "jsonl"])
        #expect(try words("-") == ["-", "-"])
        #expect(try words("jsonk") == ["-", "jsonk"])
        #expect(try words("jsonk", "x", files: ["jsonk"]) == ["-", "jsonk", "x"])
        for wrong in [["jsonl"], [], ["jsonk", "x"]] {
            #expect(throws: (any Error).self) { try ImportWords(wrong) { _ in false } }
        }
    }
}
