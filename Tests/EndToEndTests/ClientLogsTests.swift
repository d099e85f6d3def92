import Foundation
import TestSupport
import Testing

/// Logs that real clients write while people talk; `make clients` runs more of them.
struct ClientLogsTests {
    private static let python = Tool.findInVenv("python") ?? Tool.find("python3")

    private static func isThere(_ programs: String...) -> Bool {
        python != nil && (["ngircd"] + programs).allSatisfy { Tool.find($0) != nil }
    }

    private func run(_ client: String) async throws {
        let script = "\(#filePath)".components(separatedBy: "/Tests/")[0] + "/Tests/Clients/clients.py"
        let run = try await #require(Self.python).run(
            ["-B", script, "--binary", Program.path, client], within: .seconds(120))
        #expect(run.status == 0, "\(run.output.suffix(4000)) \(run.errors.suffix(2000))")
    }

    @Test(.enabled(if: isThere("irssi"), "needs ngircd and irssi, which .ci/fetch-tools fetches"))
    func `everything that irssi logs of a conversation is in the archive`() async throws {
        try await run("irssi")
    }

    @Test(.enabled(if: isThere("weechat-headless"), "needs ngircd and weechat-headless, which .ci/fetch-tools fetches"))
    func `everything that WeeChat logs of a conversation is in the archive`() async throws {
        try await run("weechat")
    }

    @Test(.enabled(if: isThere("ii"), "needs ngircd and ii, which .ci/fetch-tools fetches"))
    func `everything that ii logs of a conversation is in the archive`() async throws {
        try await run("ii")
    }
}
