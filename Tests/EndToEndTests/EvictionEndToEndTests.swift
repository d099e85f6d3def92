import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct EvictionEndToEndTests {
    private func imported(_ scrollback: Program, accounts: [String]) async throws {
        let log = "2020-01-02.log"
        try scrollback.write("[03:41] <alice> 서버가 죽었다\n[03:42] <bob> again\n", to: log)
        for account in accounts {
            let result = try await scrollback("import", "energymech", log, "-a", account, "--room", "#example")
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test func `an account is evicted and restored by hand, and comes back by itself when it is asked for`()
        async throws
    {
        let scrollback = try Program()
        try await imported(scrollback, accounts: ["old", "older"])
        let evicted = try await scrollback("archive", "compress", "old", "--level", "19")
        #expect(evicted.status == 0 && evicted.errors.contains("old: ") && evicted.errors.contains(": compressed "))
        let listed = try await scrollback("accounts", "--format", "csv").output
        #expect(listed.contains(",cold,") && listed.contains(",hot,"))
        let found = try await scrollback("search", "서버", "--count")
        #expect(found.output == "1\n")
        #expect(found.errors.contains("skipped 'old' (compressed); add --cold to include it\n"), "\(found.errors)")
        let page = try await scrollback("search", "서버", "--format", "json").output
        let leftOut = #"[{"account": "old", "reason": "cold", "detail": "account 'old' is compressed"}]"#
        #expect(page.hasSuffix("\"left_out\": \(leftOut)}\n"), "\(page)")
        #expect(try await scrollback("search", "서버", "-a", "old", "--count").output == "1\n")
        #expect(try await scrollback("search", "서버", "--count").output == "2\n")
        #expect(try await scrollback("archive", "compress", "old").status == 0)
        #expect(try await scrollback("archive", "check").status == 0)
        #expect(try await scrollback("archive", "restore", "old").status == 0)
        #expect(try await scrollback("history", "old/#example", "--format", "jsonl").output.contains("서버가 죽었다"))
        let unknown = try await scrollback("archive", "compress", "nobody")
        #expect(unknown.status == 1 && unknown.errors.contains("it has old, older"))
        #expect(try await scrollback("archive", "compress").status == 64)
        #expect(try await scrollback("archive", "compress", "--over").errors.contains("[no-"))
    }

    @Test func `a listener compresses what is over the limits, but not what it writes`() async throws {
        let scrollback = try Program()
        try await imported(scrollback, accounts: ["old", "older"])
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let text = try String(contentsOfFile: scrollback.home + "/scrollback.toml", encoding: .utf8)
        try scrollback.write("hot_accounts = 2\n" + text, to: "scrollback.toml")
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        let states = try await eventually("one account is compressed") { () -> String? in
            let listed = try await scrollback("accounts", "--format", "csv").output
            return listed.contains(",cold,") ? listed : nil
        }
        let rows = states.split(separator: "\r\n").dropFirst()
        // Either: listing them has each open for an instant.
        let cold = rows.filter { $0.contains(",cold,") }
        #expect(cold.count == 1 && cold[0].hasPrefix("old"), "\(states)")
        let status = try await scrollback("status", "--format", "csv", "--cold")
        let accounts = status.output.split(separator: "\r\n").dropFirst().compactMap { $0.split(separator: ",").first }
        #expect(accounts == ["a1", "old", "older"], "those of the listener first: \(status.errors)")
        #expect(try await scrollback("status").errors.contains("(compressed); add --cold to include it\n"))
        let over = try await scrollback("archive", "compress", "--over")
        #expect(over.status == 0 && over.errors.contains(" uncompressed\n"), "\(over.errors)")
        #expect(try await scrollback("archive", "compress", "a1").errors.contains("a1' is in use by process"))
        #expect(try await listener.stop().status == 0)
    }
}
