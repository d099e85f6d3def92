import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct MCPEndToEndTests {
    private static let python = Tool.findInVenv("python")

    @Test(.enabled(if: Self.hasClient, "needs .venv, which .ci/make-venv makes"))
    func `an assistant gets the commands' output, by both protocols and both transports`() async throws {
        let archive = try ServedArchive()
        try await archive.fill(150, seed: 7)
        let served = try await archive.scrollback.serve()
        let token = try await archive.scrollback.token("assistant")
        let script = "\(#filePath)".components(separatedBy: "/Tests/")[0] + "/Tests/MCP/check_mcp.py"
        let run = try await #require(Self.python).run(
            [script, Program.path, "\(served.server)/mcp", token], environment: archive.scrollback.environment,
            within: .seconds(240))
        #expect(run.status == 0, "\(run.output.suffix(2000)) \(run.errors.suffix(6000))")
    }

    private static var hasClient: Bool {
        guard let python else { return false }
        let packages = (python.path as NSString).deletingLastPathComponent + "/../lib"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: packages)) ?? []
        return versions.contains { FileManager.default.fileExists(atPath: "\(packages)/\($0)/site-packages/mcp") }
    }

    private func post(_ client: WebClient, _ body: String, _ headers: [String: String] = [:]) async throws
        -> WebClient.Answer
    {
        try await client.post("/mcp", body, ["Content-Type": "application/json"].merging(headers) { $1 })
    }

    @Test func `over HTTP, a request needs a token and headers that match the message`() async throws {
        let archive = try ServedArchive()
        try await archive.fill(5)
        let served = try await archive.scrollback.serve()
        let client = served.program(try await archive.scrollback.token("assistant"))
        let list = #"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#
        #expect(
            try await post(await served.owner(), list).status == 401, "a page of another site could ask with a cookie")
        #expect(try await post(served.program("wrong"), list).status == 401)
        let tools = try await post(client, list, ["MCP-Protocol-Version": "2025-11-25"])
        #expect(tools.status == 200 && tools.body.contains("list_rooms"), "\(tools)")
        #expect(try await post(client, list, ["MCP-Protocol-Version": "1999-01-01"]).status == 400)
        #expect(try await client.get("/mcp").status == 405)
        #expect(try await post(client, #"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#).status == 202)
        #expect(try await post(client, "{").status == 400)

        let meta = """
            "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", \
            "io.modelcontextprotocol/clientCapabilities": {}}
            """
        let call = #"{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list_rooms", \#(meta)}}"#
        var headers = ["MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "list_rooms"]
        let rooms = try await post(client, call, headers)
        #expect(rooms.status == 200 && rooms.body.contains(#""resultType": "complete""#), "\(rooms)")
        headers["Mcp-Name"] = "=?base64?\(Data("list_rooms".utf8).base64EncodedString())?="
        #expect(try await post(client, call, headers).status == 200)
        headers["Mcp-Name"] = "search"
        let other = try await post(client, call, headers)
        #expect(other.status == 400 && other.body.contains("-32020"), "\(other)")
    }

    @Test func `an assistant learns of no room outside its token or among the excluded ones`() async throws {
        let archive = try ServedArchive()
        try await archive.fill(40)
        try archive.scrollback.write("[mcp]\nexclude = [\"demo/가족\", \"#ün*\"]\n", to: "scrollback.toml")
        let served = try await archive.scrollback.serve()
        let one = served.program(try await archive.scrollback.token("one", "--room", "demo/#example"))
        let all = served.program(try await archive.scrollback.token("all"))
        for (name, arguments) in [
            ("list_rooms", ""), ("list_people", ""), ("get_messages", #""account": "demo""#),
            ("search", #""q": "server""#), ("search", #""q": "server", "by": "room""#), ("gaps", ""), ("stats", ""),
        ] {
            let call = #"""
                {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "\#(name)", "arguments": {\#(arguments)}}}
                """#
            let seen = try await post(one, call)
            #expect(
                seen.status == 200 && seen.body.contains("#example") || name == "list_people" || name == "gaps",
                "\(seen)")
            #expect(!seen.body.contains("가족") && !seen.body.contains("둘"), "\(name): \(seen.body)")
            let allowed = try await post(all, call)
            #expect(!allowed.body.contains("#ün"), "\(name): \(allowed.body)")
            #expect(!allowed.body.contains(#""account\": \"demo\", \"room\": \"가족"#), "\(name): \(allowed.body)")
        }
        let named = try await post(
            all,
            #"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_messages", "arguments": {"room": "demo/가족"}}}"#
        )
        #expect(named.body.contains(#""isError": true"#), "\(named.body)")
    }
}
