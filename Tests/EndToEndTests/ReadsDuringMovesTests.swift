import Foundation
import TestSupport
import Testing

/// Accounts that are evicted and restored beside commands that read them.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ReadsDuringMovesTests {
    private let scrollback: Program

    init() async throws {
        scrollback = try Program()
        for account in ["demo", "other", "third"] {
            let said = (0..<50).map { StoredRoom.Said(name: account, text: "서버 \($0)") }
            try await StoredRoom.store(said, as: account, for: scrollback)
        }
    }

    private func files(of account: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: scrollback.data + "/accounts")
            .filter { $0.hasPrefix(account + "-") && $0.contains("/") }.sorted()
    }

    @Test(arguments: [["demo/lobby"], ["DEMO/1"], ["-a", "demo", "lobby"]])
    func `a cold account's room is read by the account's name, without notes about others`(
        room: [String]
    ) async throws {
        #expect(try await scrollback("archive", "compress", "demo", "other").status == 0)
        let read = try await scrollback.start(arguments: ["history", "--format", "jsonl"] + room).result()
        #expect(read.status == 0)
        #expect(read.output.split(separator: "\n").count == 50)
        #expect(!read.errors.contains("skipped"), "\(read.errors)")
        #expect(try files(of: "other").contains { $0.hasSuffix(".zst") })
        #expect(try await scrollback("archive", "compress", "demo").status == 0)
        #expect(try await scrollback("mark-read", "demo/lobby").errors == "demo/lobby: all read\n")
    }

    @Test func `a skipped cold account is reported once`() async throws {
        #expect(try await scrollback("archive", "compress", "demo").status == 0)
        for command in [
            ["search", "서버"], ["search", "서버", "--count"], ["rooms"], ["status"], ["gaps"], ["unread"], ["tail"],
        ] {
            let errors = try await scrollback.start(arguments: command).result().errors
            #expect(errors.matches(of: /skipped 'demo' \(compressed\); add --cold/).count == 1, "\(errors)")
            let all = try await scrollback.start(arguments: command + ["--cold"]).result()
            #expect(all.status == 0 && !all.errors.contains("skipped"), "what is recommended is taken: \(all.errors)")
        }
        let following = ["tail", "--feed"]
        let feed = try await scrollback.start(arguments: following).result()
        #expect(feed.errors.contains("skipped 'demo' (compressed); to include it: scrollback archive restore demo\n"))
        #expect(try await scrollback.start(arguments: following + ["--cold"]).result().status == 64)
    }

    @Test(arguments: [["tail", "-f", "demo/lobby"], ["history", "demo/lobby", "--after", "2020", "--follow"]])
    func `an account with a follower is not compressed, and nothing changes`(following: [String]) async throws {
        let follower = try scrollback.start(arguments: following)
        try await eventually("it is shown", state: { follower.errors }) {
            follower.output.contains("서버 49") ? true : nil
        }
        let before = try files(of: "demo")
        let evicting = try await scrollback("archive", "compress", "demo")
        #expect(evicting.status == 1)
        #expect(evicting.errors.contains("account 'demo' is in use") && evicting.errors.contains("[locked]"))
        #expect(try files(of: "demo") == before)
        #expect(follower.isRunning)
        _ = try await follower.stop(SIGINT)
        #expect(try await scrollback("archive", "compress", "demo").status == 0)
    }

    @Test func `a search during moves finds all of an account, or says why not`() async throws {
        let moving = try scrollback.start(
            arguments: [],
            shell: """
                until [ -e stop ]; do "$1" archive compress other third && "$1" archive restore third other || exit 1; done 2> moves
                """)
        for _ in 0..<10 {
            let found = try await scrollback("search", "서버", "--format", "jsonl", "-n", "1000")
            #expect(found.status == 0, "\(found.errors)")
            for account in ["demo", "other", "third"] {
                let count = found.output.split(separator: "\n").count { $0.contains(#""account": "\#(account)""#) }
                let isLeftOut = found.errors.split(separator: "\n").contains {
                    $0.contains("skipped ") && $0.contains("'\(account)'")
                }
                // It may have been found, and moved before the search was done.
                #expect(count == 50 || count == 0 && isLeftOut, "\(account): \(found.errors)")
            }
        }
        try scrollback.write("", to: "stop")
        let moved = try await moving.result()
        let moves = try String(contentsOfFile: scrollback.home + "/moves", encoding: .utf8)
        #expect(moved.status == 0, "\(moves)")
    }

    @Test func `concurrent commands that restore one account all read it`() async throws {
        #expect(try await scrollback("archive", "compress", "demo").status == 0)
        let runs = try (0..<4).map { _ in try scrollback.start("history", "demo/lobby", "--format", "jsonl") }
        for run in runs {
            let result = try await run.result()
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.split(separator: "\n").count == 50)
        }
        #expect(try files(of: "demo").filter { $0.hasSuffix(".sqlite") }.count == 1)
    }
}
