import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct APIDocumentTests {
    /// Returns the commands of the block that docs/api.md marks.
    private static func examples() throws -> [String] {
        let page = "\(#filePath)".components(separatedBy: "/Tests/")[0] + "/docs/api.md"
        let text = try String(contentsOfFile: page, encoding: .utf8)
        let block = text.components(separatedBy: "<!-- examples: run by a test -->\n```\n").dropFirst().first ?? ""
        return block.components(separatedBy: "```")[0].split(separator: "\n").map { String($0.dropFirst("$ ".count)) }
    }

    @Test(.enabled(if: Tool.find("curl") != nil, "needs curl"))
    func `every example on the API's page gets an answer`() async throws {
        let scrollback = try Program()
        let lines = (0..<4).map { number in
            """
            {"id": "2026-01-01T00:00:0\(number).000000Z", "room": "lobby", "kind": "message", \
            "sender": {"name": "alice"}, "body": "hello \(number)"}
            """
        }
        try scrollback.write(lines.joined(separator: "\n") + "\n", to: "lobby.jsonl")
        #expect(try await scrollback("import", "jsonl", "lobby.jsonl", "-a", "demo", "--unread").status == 0)
        let served = try await scrollback.serve()
        let environment = ["TOKEN": try await scrollback.token("all", "--write"), "SERVER": "\(served.server)"]
        let bash = try #require(Tool.find("bash"))
        let examples = try Self.examples()
        #expect(examples.count > 4)
        for example in examples {
            let result = try await bash.run(
                ["-c", example.replacing("curl ", with: "curl --fail-with-body ")], environment: environment)
            #expect(result.status == 0 && !result.output.isEmpty, "\(example): \(result.output)\(result.errors)")
        }
    }
}
