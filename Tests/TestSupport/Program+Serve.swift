import Foundation

/// A running `scrollback serve`.
package struct ServedProgram: Sendable {
    package let run: Run
    /// `http://127.0.0.1:PORT`, without the key.
    package let server: String
    package let key: String

    /// A browser with the owner's cookie.
    package func owner() async throws -> WebClient {
        let answer = try await WebClient(server: server).get("/?key=\(key)")
        let cookie = answer.header("Set-Cookie")?.split(separator: ";").first.map(String.init) ?? ""
        return WebClient(server: server, headers: ["Cookie": cookie])
    }

    /// A program with a token.
    package func program(_ token: String) -> WebClient {
        WebClient(server: server, headers: ["Authorization": "Bearer \(token)"])
    }
}

extension Program {
    /// Starts `scrollback serve` on a free port.
    package func serve(_ arguments: String...) async throws -> ServedProgram {
        let run = try start(arguments: ["serve", "--listen", "127.0.0.1:0"] + arguments)
        let address = try await eventually("the address of the server", state: { run.errors }) {
            run.output.split(separator: "\n").first { $0.contains("/?key=") }.map(String.init)
        }
        let parts = address.split(separator: "/?key=", maxSplits: 1).map(String.init)
        return ServedProgram(run: run, server: parts[0], key: parts.last ?? "")
    }

    /// Adds a token, and returns it. Without an account and a room, it reads everything.
    package func token(_ name: String, _ arguments: String...) async throws -> String {
        let isLimited = arguments.contains("--account") || arguments.contains("--room")
        let all = isLimited ? [] : ["--all"]
        let result = try await start(arguments: ["serve", "token", "add", name] + all + arguments).result()
        guard result.status == 0 else { throw WaitedInVain(description: result.errors) }
        return result.output.trimmingCharacters(in: .newlines)
    }
}
