import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct OpenAPITests {
    private static let python = Tool.findInVenv("python")

    @Test(.enabled(if: Tool.findInVenv("schemathesis") != nil, "needs .venv, which .ci/make-venv makes"))
    func `the server follows its OpenAPI document for any request`() async throws {
        let archive = try ServedArchive()
        try await archive.fill(50)
        let served = try await archive.scrollback.serve()
        let cookie = try await served.owner().headers["Cookie"] ?? ""
        let script = "\(#filePath)".components(separatedBy: "/Tests/")[0] + "/Tests/API/check_api.py"
        let result = try await #require(Self.python).run([script, served.server, cookie], within: .seconds(240))
        #expect(result.status == 0, "\(result.output.suffix(6000)) \(result.errors.suffix(2000))")
        #expect(
            served.run.isRunning && !served.run.errors.contains("a request failed"), "\(served.run.errors.suffix(2000))"
        )
    }

    @Test func `every parameter is a long option of its command`() async throws {
        let archive = try ServedArchive()
        try await archive.fill(1)
        let served = try await archive.scrollback.serve()
        let document = try await served.owner().get("/api/v1/openapi.json").body
        let operations = document.matches(
            of:
                /"\/api\/v1\/([^"]+)": \{"get": \{"summary": "Returns the document that `scrollback ([a-z -]+) --format json`[^"]*", "parameters": \[(.*?)\], "responses"/
        )
        #expect(operations.count >= 12)
        for operation in operations {
            let command = operation.2.split(separator: " ").prefix { !$0.hasPrefix("-") }.joined(separator: " ")
            let help = try await archive.scrollback.start(
                arguments: command.split(separator: " ").map(String.init) + ["--help"]
            )
            .result().output
            for parameter in operation.3.matches(of: /"name": "([a-z-]+)"/).map({ String($0.1) }) {
                // An argument of the command has no dashes, and the query of a search is its words.
                let isKnown =
                    help.contains("--\(parameter)") || help.contains("<\(parameter)>") || parameter == "q"
                #expect(isKnown, "\(command) --\(parameter)")
            }
        }
    }
}
