import Foundation
import TestSupport
import Testing

/// The rooms of logs whose names files have in another form.
extension ImportEndToEndTests {
    @Test func `a log whose file's name was altered goes into the room that the account has`() async throws {
        let scrollback = try Program()
        for folder in ["weechat", "znc/libera/#mix-ed"] {
            try FileManager.default.createDirectory(
                atPath: scrollback.home + "/logs/" + folder, withIntermediateDirectories: true)
        }
        try scrollback.write(
            "2026-11-21 06:23:10\t-->\tbob (~bob@host) has joined #Mix/ed\n2026-11-21 06:23:11\talice\thi\n",
            to: "logs/weechat/irc.libera.#mix_ed.weechatlog")
        try scrollback.write("[06:23:11] <alice> hi\n", to: "logs/znc/libera/#mix-ed/2026-11-21.log")
        // In one command, by the rooms that its first files have, and in two, by those of the account.
        let both = try await scrollback("import", "logs", "-a", "new", "--timezone", "UTC")
        #expect(summary(both) == "read 3 lines: 2 new messages, 1 already stored, 0 invalid", "\(both.errors)")
        for folder in ["logs/weechat", "logs/znc"] {
            let run = try await scrollback("import", folder, "-a", "old", "--timezone", "UTC")
            #expect(run.status == 0, "\(run.errors)")
        }
        for account in ["new", "old"] {
            let rooms = try await scrollback("rooms", "-a", account, "--format", "csv")
            #expect(rooms.output.contains("#Mix/ed") && !rooms.output.contains("#mix-ed"), "\(rooms.output)")
        }
        #expect(try rows(scrollback).count { $0.hasPrefix("message ") } == 2)
    }

    private func rooms(_ scrollback: Program, _ account: String) async throws -> [String] {
        let list = try await scrollback("rooms", "-a", account, "--format", "csv")
        return ["#Mix/ed", "#mix_ed"].filter { list.output.contains($0) }
    }

    @Test func `a log that names its room only later adds its new lines, to the room of that name`() async throws {
        let scrollback = try Program()
        let opened = "--- Log opened Sat Nov 21 06:22:00 2026\n"
        let said = opened + "06:22 < alice> hi\n06:23 < bob> ho\n"
        let joined = "06:24 -!- dave [~d@h] has joined #Mix/ed\n"
        try scrollback.write(said, to: "#mix_ed.log")
        let arguments = ["import", "#mix_ed.log", "-a", "old", "--timezone", "UTC"]
        #expect(try await scrollback.start(arguments: arguments).result().status == 0)
        #expect(try await rooms(scrollback, "old") == ["#mix_ed"])
        try scrollback.write(said + joined, to: "#mix_ed.log")
        for arguments in [arguments + ["--dry-run"], arguments] {
            let run = try await scrollback.start(arguments: arguments).result()
            #expect(summary(run).contains(": 1 new message") && summary(run).contains(", 2 already stored"))
        }
        #expect(try await rooms(scrollback, "old") == ["#Mix/ed"])
        let again = try await scrollback.start(arguments: arguments).result()
        #expect(summary(again).contains(": 0 new message"), "\(again.errors)")
        #expect(try await scrollback("archive", "check").status == 0)
        // Another room really has the name of the file.
        for text in [opened + "06:22 < alice> something else\n", said + joined] {
            try scrollback.write(text, to: "#mix_ed.log")
            let run = try await scrollback("import", "#mix_ed.log", "-a", "two", "--timezone", "UTC")
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(try await rooms(scrollback, "two") == ["#Mix/ed", "#mix_ed"])
    }

    @Test func `the log of one day names the room of the days before it and after it`() async throws {
        let scrollback = try Program()
        try FileManager.default.createDirectory(
            atPath: scrollback.home + "/irclogs/libera", withIntermediateDirectories: true)
        for (index, line) in ["< alice> one", "-!- dave [~d@h] has joined #Mix/ed", "< bob> three"].enumerated() {
            let day = 20 + index
            try scrollback.write(
                "--- Log opened Fri Nov \(day) 06:22:00 2026\n06:23 \(line)\n",
                to: "irclogs/libera/#mix_ed.11-\(day).log")
        }
        let run = try await scrollback("import", "irclogs", "-a", "old", "--timezone", "UTC")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try await rooms(scrollback, "old") == ["#Mix/ed"])
    }
}
