import Foundation
import TestSupport
import Testing

/// Imports of small files that are made to take much memory.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ImportMemoryEndToEndTests {
    /// 128 MiB resident, in KiB; what is built for debugging begins with 35 to 50 MiB.
    private static let bound = 128 * 1024

    private static let slackUsers = #"[{"id": "U", "name": "\#(String(repeating: "n", count: 1024))"}]"#

    private static func slack(_ message: String) -> ZipFile {
        let day = #"[{"type": "message", "ts": "1763700000.000100", "user": "U", \#(message)}]"#
        return ZipFile([
            .init("users.json", slackUsers), .init("channels.json", #"[{"id": "C", "name": "example"}]"#),
            .init("example/2026-11-21.json", day),
        ])
    }

    private static func discord(_ message: String) -> [UInt8] {
        let head =
            #""id": "1", "type": "Default", "timestamp": "2026-11-21T06:23:11Z", "author": {"id": 7, "isBot": true}"#
        let export =
            #"{"guild": {"id": 1}, "channel": {"id": 2, "name": "example"}, "messages": [{\#(head), \#(message)}]}"#
        return Array(export.utf8)
    }

    private static func list(_ element: String, _ count: Int) -> String {
        "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
    }

    /// One minute with more messages than are counted in memory: 250,000 counts of the source and 500,000 of the archive.
    private static func crowdedMinute(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { "[10:05] <alice> line \($0)\n".utf8 }
    }

    /// A database with a text of 100 MB before another row.
    private static func largeCells() -> [UInt8] {
        guard let folder = try? TemporaryFolder() else { return [] }
        let path = folder.path + "/cells.sqlite"
        let large = "UPDATE messages SET msg = hex(zeroblob(50000000));"
        try? SQLiteFixture.write(
            ClientDatabase.theLounge + ClientDatabase.lounge(1_795_242_191_123, "alice", "hi") + large
                + ClientDatabase.lounge(1_795_242_192_123, "alice", "ho"), to: path)
        return (try? Array(Data(contentsOf: URL(filePath: path)))) ?? []
    }

    /// By name; and what the import says of each.
    private static let sources: [(name: String, bytes: @Sendable () -> [UInt8], says: String)] = [
        (
            "mentions.zip", { slack(#""text": "\#(String(repeating: "<@U>", count: 260_000))""#).bytes },
            "read 1 message: 1 new message, "
        ),
        (
            "previews.zip",
            {
                let text = #"{"text": "\#(String(repeating: "<@U>", count: 1000))"}"#
                return slack(#""text": "", "attachments": \#(list(text, 250))"#).bytes
            }, "read 1 message: 1 new message, "
        ),
        (
            "embeds.json", { discord(#""embeds": \#(list("{}", 1_300_000))"#) },
            "more than 100000 values): embeds.json:1"
        ),
        (
            "#example_20261120.log", { crowdedMinute(250_000) },
            "read 250,000 lines: 250,000 new messages, 0 already stored, 0 invalid"
        ),
        ("cells.sqlite", { largeCells() }, "read 2 messages: 1 new message, 0 already stored, 1 invalid"),
        (
            "quote.csv",
            { Array("Date,Message\n2026-11-21 06:23:11,\"".utf8) + [UInt8](repeating: 0x61, count: 50_000_000) },
            "read 1 message: 0 new messages, 0 already stored, 1 invalid"
        ),
        (
            "reactions.json",
            {
                let users = list(#"{"id":1}"#, 46_000)
                return discord(#""reactions": [{"emoji": {"name": "x"}, "users": \#(users)}]"#)
            }, "read 1 message: 1 new message, 0 already stored, 0 invalid"
        ),
    ]

    @Test(arguments: sources.map(\.name))
    func `a small source that expands needs bounded memory`(name: String) async throws {
        let scrollback = try Program()
        let source = try #require(Self.sources.first { $0.name == name })
        try Data(source.bytes()).write(to: URL(filePath: scrollback.home + "/" + name))
        let table = ["csv", name, "--columns", "time=Date,text=Message", "--room", "a", "--timezone", "UTC"]
        let run = try scrollback.start(
            arguments: ["import"] + (name.hasSuffix(".csv") ? table : [name]) + ["-a", "old"])
        let peak = try await run.peakMemory()
        let result = try await run.result()
        #expect(result.errors.contains(source.says), "\(result.errors)")
        #expect(peak > 0 && peak <= Self.bound, "\(peak) KiB")
    }
}
