import Foundation
import TestSupport
import Testing

/// `scrollback export` for a friend: pictures beside the pages or inside one file, and a title.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct SingleFileTests {
    private static let picture =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 100_000)
    private static let source = "data:image/png;base64," + Data(picture).base64EncodedString()

    /// An account `wa` with the room `가족 <우리>`: a picture, another one that is missing, and a text.
    private func program() async throws -> Program {
        var program = try Program()
        program.environment["TZ"] = "UTC"
        let chat = """
            21/11/2026, 06:23 - 민수: 사진.png (file attached)
            21/11/2026, 06:24 - alice: none.png (file attached)
            21/11/2026, 06:25 - alice: hi <b> https://example.org/\n
            """
        try FileManager.default.createDirectory(atPath: program.home + "/chat", withIntermediateDirectories: true)
        try program.write(chat, to: "chat/WhatsApp Chat with 가족 <우리>.txt")
        try Data(Self.picture).write(to: URL(filePath: program.home + "/chat/사진.png"))
        let imported = try await program("import", "chat", "-a", "wa")
        #expect(imported.status == 0, "\(imported.errors)")
        return program
    }

    private func text(_ path: String, _ program: Program) throws -> String {
        try String(contentsOfFile: program.home + "/" + path, encoding: .utf8)
    }

    @Test func `one file has the room, its picture and what is left out, and is replaced when repeated`()
        async throws
    {
        let scrollback = try await program()
        let command = ["export", "-a", "wa", "--single-file", "-o", "가족.html"]
        let first = try await scrollback.start(arguments: command).result()
        #expect(first.status == 0 && first.output.isEmpty, "\(first.errors)")
        #expect(first.errors.hasPrefix("3 messages, with 1 picture (100.0 kB): 1"), "\(first.errors)")
        #expect(first.errors.hasSuffix(" in 가족.html\nleft out: 1 file that the archive does not have\n"))
        let document = try text("가족.html", scrollback)
        #expect(document.contains("<img src=\"\(Self.source)\" alt=\"사진.png\""))
        #expect(document.contains("<title>가족 &lt;우리&gt;</title>"))
        #expect(document.contains("<p>Left out: 1 file that the archive does not have</p>"))
        #expect(document.contains("<bdi>none.png</bdi> (image, not in the export)"), "\(document)")
        #expect(document.contains("wa, imported chats; times in GMT"), "\(document)")
        #expect(document.matches(of: /\ssrc="/).count == 1)
        #expect(document.matches(of: /href="(?!#)[^"]*/).map { String($0.0) } == ["href=\"https://example.org/"])
        var status = stat()
        #expect(lstat(scrollback.home + "/가족.html", &status) == 0 && status.st_mode & 0o777 == 0o600)
        let again = try await scrollback.start(arguments: command + ["--title", "우리", "--mode", "755"]).result()
        #expect(again.status == 0, "\(again.errors)")
        #expect(try text("가족.html", scrollback).contains("<title>우리</title>"))
        #expect(lstat(scrollback.home + "/가족.html", &status) == 0 && status.st_mode & 0o777 == 0o644)
        let names = try FileManager.default.contentsOfDirectory(atPath: scrollback.home)
        #expect(!names.contains { $0.hasSuffix(".part") })
    }

    @Test func `a file that --append can't continue is refused with the command that replaces it`() async throws {
        let scrollback = try await program()
        let command = ["export", "-a", "wa", "-o", "fam.html"]
        func errors(_ options: String...) async throws -> String {
            let result = try await scrollback.start(arguments: command + options).result()
            #expect(result.status == 64)
            return result.errors
        }
        let advice = "for one HTML file: --single-file -o fam.html, without --append\n"
        let missing = try await errors("--append")
        #expect(
            missing.hasPrefix(
                "scrollback: --append continues an export in a folder, and fam.html does not exist; \(advice)"))
        #expect(try await scrollback.start(arguments: command + ["--single-file"]).result().status == 0)
        let present = try await errors("--append")
        #expect(present.hasPrefix("scrollback: fam.html is a file, and an export is a folder; \(advice)"), "\(present)")
        #expect(
            try await errors().hasPrefix(
                "scrollback: fam.html is a file, and an export is a folder; for one HTML file: "))
        #expect(try await errors("--append", "--single-file").contains("remove --append to write it again"))
    }

    @Test func `one file is written to stdout, and its notes to stderr`() async throws {
        let scrollback = try await program()
        let result = try await scrollback("export", "-a", "wa", "--single-file", "-o", "-", "--max-picture", "100kB")
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("<!DOCTYPE html>") && result.output.hasSuffix("</html>\n"))
        #expect(!result.output.contains("<img"))
        #expect(result.errors.contains("left out: 1 picture larger than 100.0 kB (100.0 kB)\n"), "\(result.errors)")
        #expect(result.errors.contains("for more pictures: --max-picture and --max-pictures"))
    }

    @Test(arguments: [
        (["-o", "room"], "--single-file needs the name of an HTML file"),
        (["-o", "a.html", "--format", "text"], "--single-file writes HTML"),
        (["-o", "a.html", "--append"], "--single-file writes the whole file each time"),
        (["-o", "a.html", "--all"], "--single-file takes one account"),
        (["-o", "a.html", "--report", "json"], "--single-file writes its report for people; remove --report"),
        (["-o", "a.html", "--with-files"], "--single-file has pictures inside and no other files"),
        (
            ["-o", "a.html", "--max-picture", "big"],
            "as a size; give a whole number with kB, MB, GB or TB, such as 5MB"
        ),
    ])
    func `options that don't fit a single file are refused`(arguments: [String], reason: String) async throws {
        let scrollback = try Program()
        let result = try await scrollback.start(arguments: ["export", "--single-file"] + arguments).result()
        #expect(result.status == 64 && result.errors.contains(reason), "\(result.errors)")
    }

    @Test(arguments: [
        (["--max-pictures", "1MB", "--format", "html"], "--max-picture and --max-pictures need --single-file"),
        (["--title", "x"], "--title needs --format html or --single-file"),
        (["--title", "x", "--format", "csv"], "--title needs --format html or --single-file"),
    ])
    func `HTML options are refused for other formats`(arguments: [String], reason: String) async throws {
        let scrollback = try Program()
        let result = try await scrollback.start(arguments: ["export", "-o", "out"] + arguments).result()
        #expect(result.status == 64 && result.errors.contains(reason), "\(result.errors)")
    }

    @Test func `a file of another program is not replaced`() async throws {
        let scrollback = try await program()
        try scrollback.write("<p>mine</p>", to: "mine.html")
        let result = try await scrollback("export", "-a", "wa", "--single-file", "-o", "mine.html")
        #expect(result.status == 1)
        #expect(result.errors.contains("mine.html exists and is not a document of scrollback"), "\(result.errors)")
        #expect(try text("mine.html", scrollback) == "<p>mine</p>")
    }

    @Test func `--append adds a later picture and a changed title to the folder`() async throws {
        let scrollback = try await program()
        let first = try await scrollback(
            "export", "-a", "wa", "--format", "html", "--with-files", "--title", "우리", "-o", "out")
        #expect(first.status == 0, "\(first.errors)")
        let page = "out/가족 _우리_/2026-11.html"
        let before = try text(page, scrollback)
        #expect(
            before.contains("<img src=\"../files/%EC%82%AC%EC%A7%84-") && before.contains("none.png</bdi> (image, "))
        #expect(before.matches(of: /<img/).count == 1)
        // Another file of the same name.
        try FileManager.default.createDirectory(atPath: scrollback.home + "/later", withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: scrollback.home + "/chat/WhatsApp Chat with 가족 <우리>.txt",
            toPath: scrollback.home + "/later/WhatsApp Chat with 가족 <우리>.txt")
        try Data(Self.picture.reversed()).write(to: URL(filePath: scrollback.home + "/later/none.png"))
        let imported = try await scrollback("import", "later", "-a", "wa")
        #expect(imported.errors.contains("1 file beside the export stored"), "\(imported.errors)")
        let appended = try await scrollback("export", "--append", "-o", "out")
        #expect(appended.status == 0, "\(appended.errors)")
        #expect(try text(page, scrollback).matches(of: /<img/).count == 2)
        #expect(try text(page, scrollback).contains("우리"))
        let renamed = try await scrollback("export", "--append", "--title", "other", "-o", "out")
        #expect(renamed.status == 0, "\(renamed.errors)")
        #expect(try text("out/index.html", scrollback).contains("<title>other</title>"))
        #expect(try await scrollback("backup", "verify", "out").status == 0)
        let wrong = try await scrollback("export", "-a", "wa", "--format", "text", "-o", "text")
        #expect(wrong.status == 0)
        let refused = try await scrollback("export", "--append", "--title", "x", "-o", "text")
        #expect(refused.status == 1 && refused.errors.contains("format text, which has no title; remove --title"))
    }

    @Test func `erased messages are in neither the continued folder nor the next single file`() async throws {
        let scrollback = try await program()
        let exported = try await scrollback("export", "-a", "wa", "--format", "html", "--with-files", "-o", "out")
        #expect(exported.status == 0, "\(exported.errors)")
        let files = scrollback.home + "/out/files"
        #expect(try FileManager.default.contentsOfDirectory(atPath: files).count == 1)
        let erased = try await scrollback(
            "retention", "forget", "-a", "wa", "--user", "민수", "--delete", "--execute")
        #expect(erased.status == 0, "\(erased.errors)")
        #expect(try await scrollback("export", "--append", "-o", "out").status == 0)
        #expect(!FileManager.default.fileExists(atPath: files))
        #expect(try !text("out/가족 _우리_/2026-11.html", scrollback).contains("사진"))
        let single = try await scrollback("export", "-a", "wa", "--single-file", "-o", "-")
        #expect(single.status == 0 && single.output.contains("none.png") && !single.output.contains("<img"))
    }

    @Test(arguments: ["text", "csv", "markdown"])
    func `other formats have the files and their paths, and an export can add them later`(format: String) async throws {
        let scrollback = try await program()
        #expect(try await scrollback("export", "-a", "wa", "--format", format, "-o", "out").status == 0)
        let result = try await scrollback("export", "--append", "--with-files", "-o", "out")
        #expect(result.status == 0, "\(result.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: scrollback.home + "/out/files")
        let name = try #require(files.first)
        #expect(files.count == 1 && name.hasPrefix("사진-") && name.hasSuffix(".png"))
        #expect(FileManager.default.contents(atPath: scrollback.home + "/out/files/" + name) == Data(Self.picture))
        let month = try #require(
            FileManager.default.subpaths(atPath: scrollback.home + "/out")?.first { $0.contains("/2026-11.") })
        let address = format == "markdown" ? "%EC%82%AC%EC%A7%84" + name.dropFirst(2) : name
        #expect(try text("out/" + month, scrollback).contains("../files/" + address))
        #expect(try await scrollback("backup", "verify", "out").status == 0)
    }
}
