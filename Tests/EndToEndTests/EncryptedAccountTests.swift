import Foundation
import TestSupport
import Testing

/// Compressed accounts that are encrypted.
@Suite(.enabled(if: SealedProgram.isPossible, "needs age"), .timeLimit(.minutes(MachineSpeed.minutes(10))))
struct EncryptedAccountTests {
    private func sealed() async throws -> SealedProgram {
        let sealed = try await SealedProgram()
        let scrollback = sealed.scrollback
        let compressed = try await scrollback("archive", "compress", "wa", "--recipient", sealed.recipients[0])
        #expect(
            compressed.status == 0 && compressed.errors.contains("compressed and encrypted"), "\(compressed.errors)")
        return sealed
    }

    /// The account's own files, without those that came with messages.
    private func files(_ sealed: SealedProgram) throws -> [String] {
        try sealed.files(in: "data/scrollback/accounts").keys.filter { $0.contains(".sqlite") }
            .map { ($0 as NSString).lastPathComponent }.sorted()
    }

    @Test func `an encrypted account is listed, skipped, and read with its key, and stays encrypted`()
        async throws
    {
        let sealed = try await sealed()
        let scrollback = sealed.scrollback
        #expect(try files(sealed) == ["1.sqlite.zst.age"])
        try await StoredRoom.store([StoredRoom.Said(name: "alice", text: "hot words")], for: scrollback)
        let listed = try await scrollback("accounts", "--format", "jsonl")
        #expect(listed.status == 0 && listed.output.contains(#""state": "encrypted""#), "\(listed)")
        #expect(listed.output.contains(#""account": "wa""#) && listed.output.contains(#""messages": 2"#))
        for cold in [[], ["--cold"]] {
            let found = try await scrollback.start(arguments: ["search", "xyzzy"] + cold).result()
            #expect(found.errors.contains("skipped 'wa' (encrypted); to read it: --identity FILE"), "\(found)")
            #expect(found.status == 1)
        }
        let json = try await scrollback("rooms", "--format", "json")
        #expect(json.output.contains(#""reason": "encrypted""#), "\(json)")
        for command in [
            ["history", "wa/가족"], ["search", "-a", "wa", "xyzzy"], ["archive", "restore", "wa"],
            ["export", "-a", "wa", "-o", "out"], ["import", "chat", "-a", "wa"],
            ["retention", "forget", "-a", "wa", "--user", "alice", "--delete", "--execute"],
        ] {
            let refused = try await scrollback.start(arguments: command).result()
            #expect(refused.status != 0 && refused.errors.contains("encrypted"), "\(command): \(refused)")
        }
        let some = try await scrollback("retention", "forget", "--user", "alice", "--delete", "--execute")
        #expect(some.status == 1 && some.errors.contains("demo: forgot 1 message"), "\(some)")
        #expect(some.errors.contains("skipped 'wa' (encrypted); to read it: --identity FILE"), "\(some)")
        #expect(try await sealed.said(scrollback, "--identity", "key1").contains(SealedProgram.secret))
        #expect(try await sealed.said(sealed.knowing()).contains(SealedProgram.secret))
        let cold = try await scrollback("search", "xyzzy", "--cold", "--identity", "key1")
        #expect(cold.status == 0 && cold.output.contains("xyzzy"), "\(cold)")
        let exported = try await scrollback("export", "-a", "wa", "-o", "out", "--identity", "key1")
        #expect(exported.status == 0, "\(exported.errors)")
        #expect(
            try files(sealed).contains("1.sqlite.zst.age") && files(sealed).count(where: { $0.hasPrefix("2") }) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scrollback.temporary).isEmpty)
    }

    @Test func `check compares an encrypted account with the catalog, and reads it with the key`() async throws {
        let sealed = try await sealed()
        let scrollback = sealed.scrollback
        let written = try await scrollback("archive", "check")
        #expect(written.status == 0 && written.output.contains("encrypted, as written"), "\(written)")
        #expect(try await scrollback("archive", "check", "--identity", "key1").status == 0)
        let name = try #require(
            try sealed.files(in: "data/scrollback").keys.first { $0.hasSuffix(".zst.age") })
        let url = URL(filePath: scrollback.data + "/" + name)
        var bytes = try Data(contentsOf: url)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: url)
        let damaged = try await scrollback("archive", "check")
        #expect(damaged.status == 2 && damaged.output.contains("is damaged"), "\(damaged)")
        let read = try await scrollback("history", "wa/가족", "--identity", "key1")
        #expect(read.status == 2 && read.errors.contains("[corrupt]"), "\(read)")
    }

    @Test func `restoring or writing decrypts an account, and the next compression encrypts it again`() async throws {
        let sealed = try await sealed()
        let restored = try await sealed.scrollback("archive", "restore", "wa", "--identity", "key1")
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(try files(sealed).first == "2.sqlite")
        try sealed.scrollback.write(
            "cold_recipients = [\"\(sealed.recipients[1])\"]\n[retention]\n", to: "scrollback.toml")
        #expect(try await sealed.scrollback("archive", "compress", "wa").status == 0)
        #expect(try files(sealed) == ["2.sqlite.zst.age"])
        let imported = try await sealed.knowing("key2")("import", "chat", "-a", "wa")
        #expect(imported.status == 0 && imported.errors.contains("2 already stored"), "\(imported.errors)")
        #expect(try files(sealed).first == "3.sqlite")
    }

    @Test func `changing keys requires an expansion first, and config check validates keys with age`() async throws {
        let sealed = try await sealed()
        let other = try await sealed.scrollback("archive", "compress", "wa", "--recipient", sealed.recipients[1])
        #expect(other.status == 1 && other.errors.contains("is encrypted to other keys"), "\(other)")
        let same = try await sealed.scrollback("archive", "compress", "wa", "--recipient", sealed.recipients[0])
        #expect(same.status == 0, "\(same)")
        for (key, status) in [(sealed.recipients[0], Int32(0)), ("age1bad", 1)] {
            try sealed.scrollback.write("cold_recipients = [\"\(key)\"]\n[retention]\n", to: "scrollback.toml")
            let check = try await sealed.scrollback("config", "check")
            #expect(check.status == status && check.errors.contains("[age]") == (status != 0), "\(check)")
        }
    }

    @Test func `check finds a folder missing from an encrypted backup without the key`() async throws {
        let sealed = try await SealedProgram()
        try await StoredRoom.store([StoredRoom.Said(name: "alice", text: "hi")], as: "other", for: sealed.scrollback)
        #expect(try await sealed.backUp().status == 0)
        let accounts = sealed.scrollback.home + "/copies/accounts"
        for name in try FileManager.default.contentsOfDirectory(atPath: accounts) where name.hasPrefix("wa-") {
            try FileManager.default.removeItem(atPath: accounts + "/" + name)
        }
        let missing = try await sealed.scrollback("backup", "verify", "copies")
        #expect(
            missing.status == 2 && missing.output.contains("is missing, and the catalog has its account"), "\(missing)")
        #expect(try await sealed.backUp().status == 0)
        #expect(try await sealed.scrollback("backup", "verify", "copies").status == 0)
    }

    @Test func `encrypting works for an already compressed account`() async throws {
        let sealed = try await SealedProgram()
        #expect(try await sealed.scrollback("archive", "compress", "wa").status == 0)
        #expect(try files(sealed) == ["1.sqlite.zst"])
        let run = try await sealed.scrollback("archive", "compress", "wa", "--recipient", sealed.recipients[0])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try files(sealed) == ["1.sqlite.zst.age"])
        #expect(try await sealed.said(sealed.knowing()).contains(SealedProgram.secret))
    }

    @Test func `a lost catalog is rebuilt with the key`() async throws {
        let sealed = try await sealed()
        let scrollback = sealed.scrollback
        let kept = try await scrollback("accounts", "--rebuild")
        #expect(kept.status == 0 && kept.output.contains("wa"), "a catalog that is there is kept: \(kept)")
        try FileManager.default.removeItem(atPath: scrollback.data + "/catalog.sqlite")
        let closed = try await scrollback("accounts", "--rebuild")
        #expect(closed.status != 0 && closed.errors.contains("is encrypted"), "\(closed)")
        let rebuilt = try await sealed.knowing()("accounts", "--rebuild")
        #expect(rebuilt.status == 0 && rebuilt.output.contains("wa"), "\(rebuilt)")
        #expect(try await scrollback("archive", "check").status == 0)
        #expect(try await sealed.said(scrollback, "--identity", "key1").contains(SealedProgram.secret))
    }

    @Test func `an encrypted account is backed up without decrypting it`() async throws {
        let sealed = try await sealed()
        let scrollback = sealed.scrollback
        #expect(try await sealed.backUp(key: 1).status == 0)
        #expect(try sealed.plain(in: "copies") == [])
        let again = try await sealed.backUp(key: 1)
        #expect(again.errors.contains("encrypted and unchanged"), "\(again.errors)")
        let both = try await scrollback(
            "backup", "restore", "copies", "--data", "new", "--identity", "key1", "--identity", "key2")
        #expect(both.status == 0, "\(both.errors)")
        #expect(try await scrollback("archive", "check", "--data", "new").status == 0)
    }

    @Test func `a killed compression leaves one complete account, plain or encrypted`() async throws {
        let sealed = try await SealedProgram()
        let template = sealed.scrollback
        var program = try Program()
        program.environment["PATH"] = template.environment["PATH"]
        let reset = { [program] in
            try FileManager.default.removeItem(atPath: program.home)
            try FileManager.default.copyItem(atPath: template.home, toPath: program.home)
        }
        let compressing = ["archive", "compress", "wa", "--recipient", sealed.recipients[0]]
        let calls = try await program.countCalls(compressing, reset: reset)
        #expect(calls > 10)
        for (index, number) in Torture.spread(1...calls, count: 8).enumerated() {
            try reset()
            let moment = ["before", "half", "after"][index % 3]
            _ = try await program.with(["AT": "\(number)", "WHEN": moment]).start(arguments: compressing).result()
            let place = "\(moment) call \(number) of \(calls)"
            #expect(try await sealed.said(program, "--identity", "key1").contains(SealedProgram.secret), "\(place)")
            let again = try await program.start(arguments: compressing).result()
            #expect(again.status == 0, "\(place): \(again.errors)")
            var moved = sealed
            moved.scrollback = program
            #expect(try files(moved).count == 1 && files(moved)[0].hasSuffix(".zst.age"), "\(place)")
            #expect(try await program("archive", "check", "--identity", "key1").status == 0, "\(place)")
        }
    }
}
