import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1

/// The workspace service of `Tests/SLPServer`, on its own port. It ends when the value is released.
///
///     @Suite(.enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"))
package struct SLPServer: Sendable {
    /// The state that the server reports.
    package struct State: Decodable, Sendable {
        package struct Request: Decodable, Sendable {
            package var method: String
            package var transport: String?
            /// The headers, with names in lower case.
            package var headers: [String: String]
        }
        /// The transport of each session, `websocket` or `polling`.
        package var sessions: [String]
        /// The number of clients in each namespace.
        package var namespaces: [String: Int]
        package var pongs: Int
        /// The number of requests without an answer yet.
        package var waiting: Int
        /// The number of bytes for clients that the kernel has not taken yet.
        package var unsent: Int
        package var requests: [Request]
    }

    package let port: Int
    /// The port for control requests, without TLS.
    private let control: Int
    private let run: Run

    private static let root = "\(#filePath)".components(separatedBy: "/Tests/TestSupport/")[0]
    private static let python = root + "/.venv/bin/python"

    package static var isAvailable: Bool {
        !QuickCheck.isRunning && FileManager.default.isExecutableFile(atPath: python)
    }

    /// - Parameter arguments: The server's arguments; see `slp_server.py --help`.
    package static func start(_ arguments: [String] = []) async throws -> SLPServer {
        let run = try Tool(path: python, root: "/", environment: [:]).start(
            ["-B", root + "/Tests/SLPServer/slp_server.py"] + arguments)
        try await run.says("server ready")
        func number(after name: String) throws -> Int {
            let text = run.errors.split(separator: name).last?.prefix { $0.isNumber } ?? ""
            guard let number = Int(text) else { throw WaitedInVain(description: "no port in: \(run.errors)") }
            return number
        }
        return SLPServer(port: try number(after: " port="), control: try number(after: " control="), run: run)
    }

    /// Sends an order to the server: `emit`, `raw`, `disconnect`, `close`, `abort`.
    ///
    /// - Parameter details: The order's JSON; see `slp_server.py`.
    package func order(_ what: String, _ details: String = "{}") async throws {
        _ = try await answer(to: what, details)
    }

    /// Returns the server's answer to such an order.
    package func answer(to what: String, _ details: String) async throws -> Data {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(control)/control/\(what)")
        request.method = .POST
        request.body = .bytes(ByteBuffer(string: details))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        guard response.status == .ok else {
            throw WaitedInVain(description: "\(what): HTTP \(response.status.code). \(run.errors)")
        }
        return Data(try await response.body.collect(upTo: 1 << 20).readableBytesView)
    }

    package func state() async throws -> State {
        try await state(of: "state")
    }

    /// Returns the server's state at `/control/NAME`.
    package func state<Value: Decodable>(of name: String) async throws -> Value {
        let request = HTTPClientRequest(url: "http://127.0.0.1:\(control)/control/\(name)")
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 16 << 20)
        return try JSONDecoder().decode(Value.self, from: Data(body.readableBytesView))
    }

    /// Waits until the server's state fulfils the condition.
    package func comesTo(_ what: String, _ isSo: (State) -> Bool) async throws {
        try await eventually(what, state: { run.errors }) { isSo(try await state()) ? true : nil }
    }
}
