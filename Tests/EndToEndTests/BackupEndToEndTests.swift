import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct BackupEndToEndTests {
    private let scrollback: Program

    init() throws {
        scrollback = try Program()
    }

    private func said(_ program: Program) async throws -> [String] {
        try await program.messages(in: "lobby").filter { $0.kind == "message" }.compactMap(\.body)
    }

    /// The program with another data folder.
    private func over(_ folder: String) -> Program {
        var program = scrollback
        program.environment["SCROLLBACK_DATA"] = scrollback.home + "/" + folder
        return program
    }

    @Test func `a running listener is backed up repeatedly, and a copy is restored`()
        async throws
    {
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        let traffic = Traffic(alice, padding: 250)
        try await traffic.run {
            for round in 1...3 {
                try await eventually("talk is stored") { scrollback.acknowledged.count > 300 * round ? true : nil }
                let acknowledged = scrollback.acknowledged
                let copied = try await scrollback("backup", "--all", "copies")
                #expect(copied.status == 0 && copied.errors.hasPrefix("a1: "), "\(copied.errors)")
                let stored = try await over("copies").messages(in: "lobby").map(\.id)
                #expect(Set(stored).isSuperset(of: acknowledged), "what was stored before is in the copy")
                #expect(try await over("copies")("archive", "check").status == 0)
            }
        }
        #expect(try await listener.stop().status == 0)
        let words = try await said(over("copies"))
        #expect(words == Array(try await said(scrollback).prefix(words.count)), "of one moment")
        let restored = try await over("new")("backup", "restore", "copies")
        #expect(restored.status == 0 && restored.errors.hasPrefix("a1: "), "\(restored.errors)")
        #expect(try await said(over("new")) == words)
        #expect(try await over("new")("archive", "check").status == 0)
    }

    @Test func `an account that can't be copied or restored is reported, and the others succeed`() async throws {
        for account in ["교실", "restore", "third"] {
            try await StoredRoom.store([StoredRoom.Said(name: "민수", text: "안녕")], as: account, for: scrollback)
        }
        #expect(try await scrollback("archive", "compress", "third").status == 0)
        #expect(try await scrollback("backup", "create", "restore", "copies").errors.hasPrefix("restore: 1 message in"))
        let all = try await scrollback("backup", "--all", "copies")
        #expect(all.status == 0 && all.errors.matches(of: /in copies.accounts/).count == 3, "\(all.errors)")
        #expect(try await scrollback("archive", "erase", "교실", "--execute").status == 0)
        let some = try await scrollback("backup", "restore", "copies")
        #expect(some.status == 1)
        #expect(some.errors.matches(of: /already has account .* \[backup\]/).count == 2, "\(some.errors)")
        #expect(some.errors.contains("교실: 1 message in 1 room"))
        #expect(try await scrollback("history", "교실/lobby").output.contains("안녕"))
        let again = try await scrollback("backup", "--all", "copies")
        #expect(again.status == 1 && again.errors.contains("compressed and unchanged"), "\(again.errors)")
        #expect(again.errors.contains("is a backup of another account '교실', or older than its last restore"))
    }

    @Test(arguments: [
        ([], 64, "name an account, or give --all"), (["demo"], 64, "name an account, or give --all"),
        (["--all"], 64, "name the folder"), (["--all", "demo", "x"], 64, "name none"),
        (["demo", "data/scrollback/copies"], 1, "is inside the data folder itself"),
        (["--all", "data/scrollback"], 1, "is the data folder"),
        (["demo", "not/there"], 1, "can't create"), (["nobody", "copies"], 1, "no account \"nobody\""),
        (["restore", "copies"], 1, "copies has no accounts"),
        (["--all", "copies", "--data", "x"], 1, "--data: no folder \"x\";"),
        (["restore"], 64, "<backup>"),
    ])
    func `an impossible backup is reported, and creates nothing`(words: [String], status: Int32, reason: String)
        async throws
    {
        try await StoredRoom.store([StoredRoom.Said(name: "alice", text: "hi")], for: scrollback)
        let result = try await scrollback.start(arguments: ["backup"] + words).result()
        #expect(result.status == status)
        #expect(result.errors.contains(reason), "\(result.errors)")
        let made = try FileManager.default.contentsOfDirectory(atPath: scrollback.home).sorted()
        #expect(made == (words == ["nobody", "copies"] ? ["copies", "data"] : ["data"]))
        #expect(try await scrollback("archive", "check").status == 0)
    }
}

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct RescueEndToEndTests {
    @Test func `a damaged account is rescued into a new folder that then replaces it`()
        async throws
    {
        let scrollback = try Program()
        try await StoredRoom.store(
            (0..<400).map { StoredRoom.Said(name: "민수", text: "메시지 \($0) " + String(repeating: "글 ", count: 40)) },
            as: "교실", for: scrollback)
        let folder = try #require(
            try FileManager.default.contentsOfDirectory(atPath: scrollback.data + "/accounts").first {
                !$0.hasPrefix(".")
            })
        let file = "\(scrollback.data)/accounts/\(folder)/1.sqlite"
        let whole = try await scrollback("archive", "rescue", file, "whole")
        #expect(whole.status == 0 && whole.output == "", "\(whole)")
        #expect(whole.errors.hasPrefix("교실: rescued 400 messages in 1 room"), "\(whole.errors)")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes.replaceSubrange(0..<4096, with: Data(count: 4096))
        let place = try #require(bytes.range(of: Data("메시지 200 ".utf8))).lowerBound / 4096 * 4096
        bytes.replaceSubrange(place..<place + 4096, with: Data(count: 4096))
        try bytes.write(to: URL(fileURLWithPath: file))
        #expect(try await scrollback("archive", "check").status != 0)
        let rescued = try await scrollback("archive", "rescue", file, "--format", "json")
        #expect(rescued.status == 2)
        #expect(rescued.output.contains(#""what": "messages", "count": "#), "\(rescued.output)")
        let text = try await scrollback("archive", "rescue", file, "second")
        #expect(text.status == 2 && text.output.hasPrefix("LOST "), "\(text.output)")
        #expect(try await scrollback("archive", "check", "--data", "rescued").status == 0)
        #expect(try await scrollback("gaps", "--data", "rescued").output.contains("damaged"))
        try FileManager.default.moveItem(
            atPath: "\(scrollback.data)/accounts/\(folder)", toPath: scrollback.home + "/damaged")
        let restored = try await scrollback("backup", "restore", "rescued")
        #expect(restored.status == 0, "\(restored)")
        #expect(try await scrollback("search", "메시지", "-n", "1").status == 0)
    }
}
