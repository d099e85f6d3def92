import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SealedProgram.isPossible, "needs age"), .timeLimit(.minutes(MachineSpeed.minutes(10))))
struct EncryptedBackupTests {
    @Test func `an encrypted backup has no plain text, and restoring needs only the key`() async throws {
        let sealed = try await SealedProgram()
        let scrollback = sealed.scrollback
        let made = try await sealed.backUp()
        #expect(made.status == 0 && made.errors.contains(", encrypted, 1 file of"), "\(made.errors)")
        #expect(try sealed.plain(in: "copies") == [])
        #expect(try sealed.attachments(in: "copies").count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scrollback.temporary).isEmpty)
        let closed = try await scrollback("backup", "restore", "copies", "--data", "new")
        #expect(closed.status == 1 && closed.errors.contains("[encrypted]"), "\(closed.errors)")
        #expect(closed.errors.contains("--identity FILE"))
        let other = try await scrollback("backup", "restore", "copies", "--data", "new", "--identity", "key2")
        #expect(other.status == 1 && other.errors.contains("no identity matched"), "\(other.errors)")
        let before = try sealed.files(in: "copies")
        let restored = try await scrollback("backup", "restore", "copies", "--data", "new", "--identity", "key1")
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(try await sealed.said(scrollback, "--data", "new") == sealed.said())
        #expect(try await scrollback("archive", "check", "--data", "new").status == 0)
        #expect(try sealed.files(in: "copies") == before)
    }

    @Test func `the standard age tool alone decrypts a copy`() async throws {
        let sealed = try await SealedProgram()
        #expect(try await sealed.backUp().status == 0)
        let age = try #require(Tool.find("age"))
        let folder = sealed.scrollback.home + "/copies/"
        for name in try sealed.files(in: "copies").keys where name.hasSuffix(".age") {
            let target = sealed.scrollback.home + "/plain"
            let run = try await age.run(["-d", "-i", sealed.scrollback.home + "/key1", "-o", target, folder + name])
            #expect(run.status == 0, "\(run.errors)")
            let bytes = try Data(contentsOf: URL(filePath: target))
            let isFile = name.contains("/attachments/")
            #expect(isFile ? bytes == Data(SealedProgram.picture) : bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]))
        }
    }

    @Test func `verify compares what was written without the key, and all content with it`() async throws {
        let sealed = try await SealedProgram()
        let scrollback = sealed.scrollback
        #expect(try await sealed.backUp().status == 0)
        let written = try await scrollback("backup", "verify", "copies")
        #expect(written.status == 0 && written.output.contains("wa: fine (encrypted, as written; "), "\(written)")
        let whole = try await scrollback("backup", "verify", "copies", "--identity", "key1")
        #expect(whole.status == 0 && !whole.output.contains("encrypted"), "\(whole)")
        let wrong = try await scrollback("backup", "verify", "copies", "--identity", "key2")
        #expect(wrong.status == 1 && wrong.output.contains("no identity matched"), "\(wrong)")
        let json = try await scrollback("backup", "verify", "copies", "--format", "json")
        #expect(json.output.contains(#""encrypted": true"#))
        for name in try sealed.files(in: "copies").keys where name.hasSuffix(".age") {
            let url = URL(filePath: scrollback.home + "/copies/" + name)
            let good = try Data(contentsOf: url)
            var bad = good
            bad[bad.count / 2] ^= 1
            try bad.write(to: url)
            for run in [["copies"], ["copies", "--identity", "key1"]] {
                let found = try await scrollback.start(arguments: ["backup", "verify"] + run).result()
                #expect(found.status == 2 && found.output.contains("is damaged"), "\(name): \(found)")
            }
            try good.write(to: url)
        }
        let file = try #require(try sealed.attachments(in: "copies").first)
        try FileManager.default.removeItem(atPath: scrollback.home + "/copies/" + file)
        let missing = try await scrollback("backup", "verify", "copies")
        #expect(missing.status == 2 && missing.output.contains("1 of the encrypted files is missing"), "\(missing)")
        #expect(try await sealed.backUp().status == 0, "and the next backup has it again")
        #expect(try await scrollback("backup", "verify", "copies", "--identity", "key1").status == 0)
    }

    @Test func `a later copy replaces an earlier one, and files are encrypted once for the same keys`() async throws {
        let sealed = try await SealedProgram()
        #expect(try await sealed.backUp().status == 0)
        let files = try sealed.attachments(in: "copies")
        try await sealed.say("later")
        let again = try await sealed.backUp()
        #expect(again.status == 0 && again.errors.contains("(0 new)"), "\(again.errors)")
        #expect(try sealed.attachments(in: "copies") == files)
        #expect(try await sealed.said(sealed.knowing(), "--data", "copies").contains("later"))
        let rekeyed = try await sealed.backUp(key: 1)
        #expect(rekeyed.status == 0, "\(rekeyed.errors)")
        #expect(try sealed.attachments(in: "copies").isDisjoint(with: files))
        #expect(try sealed.attachments(in: "copies").count == 1)
        #expect(try await sealed.scrollback("backup", "verify", "copies", "--identity", "key1").status == 1)
        #expect(try await sealed.scrollback("backup", "verify", "copies", "--identity", "key2").status == 0)
        let refused = try await sealed.scrollback("backup", "--all", "copies")
        #expect(refused.status == 1 && refused.errors.contains("is encrypted; give --recipient"), "\(refused.errors)")
        #expect(try sealed.plain(in: "copies") == [])
    }

    @Test(arguments: [false, true])
    func `an encrypted copy replaces a plain one and its files, even of a compressed account`(isCold: Bool) async throws
    {
        let sealed = try await SealedProgram()
        let scrollback = sealed.scrollback
        if isCold { #expect(try await scrollback("archive", "compress", "wa").status == 0) }
        #expect(try await scrollback("backup", "--all", "copies").status == 0)
        #expect(try !sealed.plain(in: "copies").isEmpty)
        let made = try await sealed.backUp()
        #expect(made.status == 0, "\(made.errors)")
        #expect(try sealed.plain(in: "copies") == [])
        #expect(try await scrollback("backup", "verify", "copies", "--identity", "key1").status == 0)
        let unchanged = try await sealed.backUp()
        #expect(unchanged.status == 0 && unchanged.errors.contains("encrypted and unchanged") == isCold)
    }

    @Test func `copying an encrypted copy needs no key and changes nothing`() async throws {
        let sealed = try await SealedProgram()
        #expect(try await sealed.backUp().status == 0)
        let second = try await sealed.scrollback("backup", "--all", "second", "--data", "copies")
        #expect(second.status == 0, "\(second.errors)")
        #expect(try sealed.plain(in: "second") == [])
        #expect(try sealed.attachments(in: "second").count == 1)
        #expect(try await sealed.scrollback("backup", "verify", "second", "--identity", "key1").status == 0)
    }

    @Test(arguments: [
        (["--recipient", "age1nonsense"], "malformed recipient"), (["--recipient", "nonsense"], "is not a public key"),
        (["--recipient", "AGE-SECRET-KEY-1QQQQ"], "a secret key in place of a public one"),
        (["--recipients-file", "none"], "can't read the recipients file"),
        (["--recipients-file", "empty"], "has no public key"),
    ])
    func `a wrong key is reported before anything is created`(words: [String], reason: String) async throws {
        let sealed = try await SealedProgram()
        try sealed.scrollback.write("# nobody\n\n", to: "empty")
        let run = try await sealed.scrollback.start(arguments: ["backup", "--all", "copies"] + words).result()
        #expect(run.status == 1 && run.errors.contains(reason) && run.errors.contains("[age]"), "\(run.errors)")
        #expect(!run.errors.contains("SECRET-KEY-1QQQQ"))
        #expect(!FileManager.default.fileExists(atPath: sealed.scrollback.home + "/copies"))
    }

    @Test func `without age, the error names the package to install`() async throws {
        let sealed = try await SealedProgram()
        var without = sealed.scrollback
        without.environment["PATH"] = sealed.scrollback.home
        let run = try await without("backup", "--all", "copies", "--recipient", sealed.recipients[0])
        #expect(run.status == 1 && run.errors.contains("apt-get install age"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: sealed.scrollback.home + "/copies"))
    }

    @Test func `each of several keys decrypts the backup`() async throws {
        let sealed = try await SealedProgram()
        try sealed.scrollback.write("# both\n\(sealed.recipients.joined(separator: "\n"))\n", to: "keys")
        #expect(try await sealed.scrollback("backup", "--all", "copies", "--recipients-file", "keys").status == 0)
        for key in ["key1", "key2"] {
            #expect(try await sealed.scrollback("backup", "verify", "copies", "--identity", key).status == 0)
        }
    }

    @Test(arguments: [false, true])
    func `a killed encrypted backup leaves a complete copy and no plain text`(hasEarlier: Bool) async throws {
        let sealed = try await SealedProgram()
        if hasEarlier {
            #expect(try await sealed.backUp().status == 0)
            try await sealed.say("later")
        }
        let template = sealed.scrollback
        var program = try Program()
        program.environment["PATH"] = template.environment["PATH"]
        program.environment["CRASH_POINT_FOLDER"] = program.home
        let reset = { [program] in
            try FileManager.default.removeItem(atPath: program.home)
            try FileManager.default.copyItem(atPath: template.home, toPath: program.home)
        }
        let making = ["backup", "--all", "copies", "--recipient", sealed.recipients[0]]
        let verifying = ["backup", "verify", "copies", "--identity", "key1"]
        let calls = try await program.countCalls(making, reset: reset)
        #expect(calls > 20)
        for (index, number) in Torture.spread(1...calls, count: 10).enumerated() {
            try reset()
            let moment = ["before", "half", "after"][index % 3]
            _ = try await program.with(["AT": "\(number)", "WHEN": moment]).start(arguments: making).result()
            let place = "\(moment) call \(number) of \(calls)"
            var moved = sealed
            moved.scrollback = program
            if FileManager.default.fileExists(atPath: program.home + "/copies") {
                let plain = try moved.plain(in: "copies")
                #expect(plain == [], "\(place): \(plain)")
                let verified = try await program.start(arguments: verifying).result()
                let isNone = !hasEarlier && verified.errors.contains("neither a backup nor an export")
                #expect(isNone || verified.status == 0, "\(place): \(verified)")
            }
            let again = try await program.start(arguments: making).result()
            #expect(again.status == 0, "\(place): \(again.errors)")
            let verified = try await program.start(arguments: verifying).result()
            #expect(verified.status == 0, "\(place): \(verified)")
            #expect(try moved.attachments(in: "copies").count == 1, "\(place)")
            let unfinished = try moved.files(in: "copies").keys.filter {
                $0.contains("unfinished/") || $0.contains(".tmp")
            }
            #expect(unfinished.isEmpty, "\(place)")
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting takes root"))
    func `a full disk keeps the earlier copy`() async throws {
        let sealed = try await SealedProgram()
        let disk = try SmallDisk(kibibytes: 4096)
        #expect(try await sealed.backUp(to: disk.path + "/copies").status == 0)
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        let lines = (0..<1000).map { _ in String((0..<40).map { _ in letters[Int.random(in: 0..<letters.count)] }) }
        try await sealed.say(lines.joined(separator: "\n21/11/2026, 08:00 - alice: "))
        try Data(count: 3_200_000).write(to: URL(filePath: disk.path + "/ballast"))
        let full = try await sealed.backUp(to: disk.path + "/copies")
        #expect(full.status == 1 && full.errors.contains("[storage]"), "\(full.errors)")
        let verified = try await sealed.scrollback("backup", "verify", disk.path + "/copies", "--identity", "key1")
        #expect(verified.status == 0, "\(verified)")
    }
}
