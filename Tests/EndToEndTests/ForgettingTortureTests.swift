import Foundation
import TestSupport
import Testing

/// A forgotten person does not come back: not with any export or log, nor with a file, a backup or a compressed copy.
@Suite(.timeLimit(.minutes(Torture.minutes(10, whole: 20))))
struct ForgettingTortureTests {
    /// A sample in which one person's name and last text stand nowhere else.
    struct Case: Sendable, CustomStringConvertible, CustomTestStringConvertible {
        var sample: ImportSample
        let redacts: Bool
        var description: String { "\(sample.testDescription) \(redacts ? "--redact" : "--delete")" }
        var testDescription: String { description }

        init(_ sample: ImportSample, redacts: Bool) {
            (self.sample, self.redacts) = (sample, redacts)
            func marked(_ text: String) -> String {
                text.replacing("alice", with: name).replacing("bye", with: text2).replacing(" <@U1>", with: "")
            }
            self.sample.path = marked(sample.path)
            self.sample.files = sample.files.map { (marked($0.name), marked($0.text), marked($0.later)) }
        }
    }

    private static let name = "mallorycanary"
    private static let text2 = "quillcanary"

    private static let cases = Torture.choose(
        ImportSample.all.flatMap { [Case($0, redacts: false), Case($0, redacts: true)] }, count: 8)

    /// Returns the files below a folder that have one of the texts, or its end.
    private func traces(of texts: [String] = [name, text2], in folder: String) throws -> [String] {
        let needles = texts.flatMap { [$0, String($0.suffix(8))] }.map { Data($0.utf8) }
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
            let bytes = FileManager.default.contents(atPath: folder + "/" + path) ?? Data()
            return needles.contains { bytes.range(of: $0) != nil }
        }
    }

    /// Forgets everybody in an account whose name has a text.
    private func forget(_ scrollback: Program, account: String, _ way: String) async throws {
        let listed = try await scrollback("users", "-a", account, "--format", "csv")
        let people = listed.output.split(whereSeparator: \.isNewline).dropFirst().filter { $0.contains(Self.name) }
        #expect(!people.isEmpty, "\(listed.output)")
        let place = try #require(
            listed.output.split(whereSeparator: \.isNewline).first?.split(separator: ",").firstIndex(of: "id"))
        for person in people {
            let id = person.split(separator: ",", omittingEmptySubsequences: false)[place]
            let run = try await scrollback(
                "retention", "forget", "-a", account, "--user", "id:\(id)", way, "--execute")
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test(arguments: cases)
    func `no import brings a person back`(one: Case) async throws {
        var scrollback = try Program()
        scrollback.environment["TZ"] = "Asia/Seoul"
        // In one sample, another person says the last text.
        try one.sample.write(to: scrollback, isLater: one.sample.last.contains("alice"))
        let arguments = one.sample.arguments(account: "old")
        #expect(try await scrollback.start(arguments: arguments).result().status == 0)
        #expect(try !traces(in: scrollback.data).isEmpty)
        try await forget(scrollback, account: "old", one.redacts ? "--redact" : "--delete")
        #expect(try traces(in: scrollback.data) == [], "forgotten")
        #expect(try await scrollback.start(arguments: arguments).result().status == 0)
        #expect(try traces(in: scrollback.data) == [], "imported again")
        #expect(try await scrollback("archive", "check").status == 0)
        #expect(try await scrollback("archive", "erase", "old", "--execute").status == 0)
        #expect(try await scrollback.start(arguments: arguments).result().status == 0)
        #expect(try traces(in: scrollback.data) == [], "imported into a new account of the name")
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test(arguments: ["--delete", "--redact"])
    func `forgetting the person of a direct chat removes its name, and no import restores it`(way: String) async throws
    {
        let scrollback = try Program()
        let messages = [(Self.name, 7, Self.text2), ("me", 8, "own words")].enumerated().map { index, sender in
            """
            {"id": \(index + 1), "type": "message", "date": "2026-09-21T10:0\(index):00", \
            "date_unixtime": "17900000\(index)0", "from": "\(sender.0)", "from_id": "user\(sender.1)", \
            "text": "\(sender.2)", "text_entities": []}
            """
        }
        try scrollback.write(
            """
            {"name": "\(Self.name)", "type": "personal_chat", "id": 7, "messages": [\(messages.joined(separator: ", "))]}
            """, to: "result.json")
        #expect(try await scrollback("import", "result.json", "-a", "tele").status == 0)
        try await forget(scrollback, account: "tele", way)
        #expect(try traces(in: scrollback.data) == [], "forgotten")
        for isNew in [false, true] {
            if isNew { #expect(try await scrollback("archive", "erase", "tele", "--execute").status == 0) }
            #expect(try await scrollback("import", "result.json", "-a", "tele").status == 0)
            #expect(try traces(in: scrollback.data) == [], "imported, isNew: \(isNew)")
            let rooms = try await scrollback("rooms", "-a", "tele", "--format", "csv")
            #expect(rooms.output.split(whereSeparator: \.isNewline).count == 2 && rooms.output.contains("(forgotten)"))
            let page = try await scrollback("history", "tele/(forgotten)", "--format", "jsonl")
            #expect(page.output.contains("own words"), "\(page.output)")
        }
    }

    /// Its program does not say that the chat is with one person.
    @Test func `a log with the person's name as its title loses it`() async throws {
        let scrollback = try Program()
        let name = "WhatsApp Chat with \(Self.name).txt"
        try scrollback.write(
            "21/11/2026, 06:23 - \(Self.name): \(Self.text2)\n21/11/2026, 06:24 - me: own words\n", to: name)
        #expect(try await scrollback("import", name, "-a", "wa").status == 0)
        try await forget(scrollback, account: "wa", "--delete")
        #expect(try traces(in: scrollback.data) == [], "forgotten")
        #expect(try await scrollback("import", name, "-a", "wa").status == 0)
        #expect(try traces(in: scrollback.data) == [], "imported again")
        #expect(try await scrollback("history", "wa/(forgotten)").output.contains("own words"))
    }

    private static let bytes = "a picture of wolfcanary"

    /// An export with a file of the person, one of another, and one of both.
    private func writeExport(to scrollback: Program) throws {
        try FileManager.default.createDirectory(
            atPath: scrollback.home + "/tele/photos", withIntermediateDirectories: true)
        let senders = [(Self.name, 7, "a"), ("bob", 8, "b"), (Self.name, 7, "c"), ("bob", 8, "c")]
        let messages = senders.enumerated().map { index, sender in
            """
            {"id": \(index + 1), "type": "message", "date": "2026-09-21T10:0\(index):00", \
            "date_unixtime": "17900000\(index)0", "from": "\(sender.0)", "from_id": "user\(sender.1)", \
            "text": "words \(index)", "text_entities": [], "photo": "photos/\(sender.2).jpg"}
            """
        }
        try scrollback.write(
            #"{"name": "chat", "type": "private_group", "id": 1, "messages": [\#(messages.joined(separator: ", "))]}"#,
            to: "tele/result.json")
        for (name, text) in [("a", Self.bytes), ("b", "a picture of bob"), ("c", "a picture of both")] {
            try scrollback.write(text, to: "tele/photos/\(name).jpg")
        }
    }

    private func files(_ folder: String) throws -> Int {
        try FileManager.default.subpathsOfDirectory(atPath: folder)
            .count { $0.contains("/attachments/") && ($0 as NSString).lastPathComponent.utf8.count == 62 }
    }

    @Test(arguments: ["--delete", "--redact"])
    func `a person's files are removed from the archive and its backup, and stay away`(way: String) async throws {
        let scrollback = try Program()
        try writeExport(to: scrollback)
        #expect(try await scrollback("import", "tele", "-a", "tele").status == 0)
        #expect(try await scrollback("backup", "--all", "backup").status == 0)
        let (data, backup) = (scrollback.data, scrollback.home + "/backup")
        #expect(try files(data) == 3 && files(backup) == 3)
        try FileManager.default.copyItem(atPath: backup, toPath: scrollback.home + "/older")
        try await forget(scrollback, account: "tele", way)
        let all = [Self.name, Self.bytes]
        #expect(try traces(of: all, in: data) == [])
        #expect(try await scrollback("backup", "--all", "backup").status == 0)
        #expect(try traces(of: all, in: backup) == [])
        #expect(try files(data) == 2 && files(backup) == 2)
        let again = try await scrollback("import", "tele", "-a", "tele")
        #expect(again.status == 0)
        #expect(
            again.errors.contains("  1 file not stored (no stored message has it): photos/a.jpg\n"), "\(again.errors)")
        #expect(try traces(of: all, in: data) == [], "imported again")
        #expect(try files(data) == 2)
        #expect(try await scrollback("archive", "compress", "tele").status == 0)
        #expect(try await scrollback("backup", "--all", "backup").status == 0)
        #expect(try traces(of: all, in: backup) == [], "compressed")
        #expect(try await scrollback("archive", "erase", "tele", "--execute").status == 0)
        #expect(try await scrollback("backup", "restore", "older").status == 0)
        #expect(try await scrollback("history", "tele/chat").status == 0)
        #expect(try traces(of: all, in: data) == [], "restored")
        #expect(try files(data) == 2)
        #expect(try await scrollback("archive", "check").status == 0)
        #expect(try await scrollback("backup", "verify", "backup").status == 0)
    }

    @Test func `files without messages are listed, and removed on request, even in a backup`() async throws {
        let scrollback = try Program()
        try writeExport(to: scrollback)
        #expect(try await scrollback("import", "tele", "-a", "tele").status == 0)
        #expect(try await scrollback("backup", "--all", "backup").status == 0)
        for folder in [scrollback.data, scrollback.home + "/backup"] {
            for isCold in [false, true] {
                if isCold { #expect(try await scrollback("archive", "compress", "tele", "--data", folder).status == 0) }
                let account = try #require(
                    try FileManager.default.contentsOfDirectory(atPath: folder + "/accounts").first)
                let attachments = folder + "/accounts/\(account)/attachments"
                try FileManager.default.createDirectory(
                    atPath: attachments + "/ff", withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
                let orphan = attachments + "/ff/" + String(repeating: "0", count: 62)
                try Data("left".utf8).write(to: URL(filePath: orphan))
                let found = try await scrollback("archive", "check", "--data", folder)
                #expect(found.status == 2 && found.output.contains("orphaned_files"), "\(found.output)")
                #expect(found.output.contains("no message has \(orphan)"), "\(found.output)")
                let fixed = try await scrollback("archive", "check", "--fix", "--data", folder)
                #expect(
                    fixed.status == 0 && fixed.errors == "tele: removed 1 file that no message had\n",
                    "\(fixed.output)\(fixed.errors)")
                #expect(try files(folder) == 3)
                #expect(try await scrollback("backup", "verify", folder).status == 0)
            }
        }
    }

    @Test
    func `a killed backup after forgetting leaves a complete copy, and the next has only what is left`()
        async throws
    {
        let template = try Program()
        try writeExport(to: template)
        #expect(try await template("import", "tele", "-a", "tele").status == 0)
        let making = ["backup", "--all", "copies"]
        #expect(try await template.start(arguments: making).result().status == 0)
        try await forget(template, account: "tele", "--delete")
        var program = try Program()
        program.environment["CRASH_POINT_FOLDER"] = program.home
        let reset = { [program] in
            try FileManager.default.removeItem(atPath: program.home)
            try FileManager.default.copyItem(atPath: template.home, toPath: program.home)
        }
        let calls = try await program.countCalls(making, reset: reset)
        #expect(calls > 20)
        let copies = program.home + "/copies"
        for number in Torture.spread(1...calls, count: 8) {
            try reset()
            let moment = ["before", "half", "after"][number % 3]
            _ = try await program.with(["AT": "\(number)", "WHEN": moment]).start(arguments: making).result()
            let checked = try await program("archive", "check", "--data", copies, "--format", "csv")
            let problems = checked.output.split(whereSeparator: \.isNewline).filter { $0.contains(",wrong,") }
            #expect(
                problems.allSatisfy { $0.contains("orphaned_files") }, "\(moment) call \(number): \(checked.output)")
            #expect(try await program("history", "tele/chat", "--data", copies).status == 0)
            let again = try await program.start(arguments: making).result()
            #expect(again.status == 0, "\(moment) call \(number): \(again.errors)")
            #expect(try await program("backup", "verify", "copies").status == 0, "\(moment) call \(number)")
            #expect(try traces(of: [Self.name, Self.bytes], in: copies) == [], "\(moment) call \(number)")
        }
    }
}
