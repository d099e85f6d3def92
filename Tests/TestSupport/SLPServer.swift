import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1

/// The workspace service of `Tests/SLPServer`, on a port of its own; ended when the value is dropped.
///
///     @Suite(.enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"))
package struct SLPServer: Sendable {
    /// What the server says of itself.
    package struct State: Decodable, Sendable {
        package struct Request: Decodable, Sendable {
            package var method: String
            package var transport: String?
            /// Names in lower case.
            package var headers: [String: String]
        }
        /// `websocket` or `polling`, one a session.
        package var sessions: [String]
        /// How many are in each.
        package var namespaces: [String: Int]
        package var pongs: Int
        /// Requests that are not yet answered.
        package var waiting: Int
        /// Bytes for clients that are not yet the kernel's.
        package var unsent: Int
        package var requests: [Request]
    }

    package let port: Int
    /// Where it is controlled, without TLS.
    private let control: Int
    private let run: Run

    private static let root = "\(#filePath)".components(separatedBy: "/Tests/TestSupport/")[0]
    private static let python = root + "/.venv/bin/python"

    package static var isAvailable: Bool {
        FileManager.default.isExecutableFile(atPath: python)
    }

    /// - Parameter arguments: `slp_server.py --help` tells.
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

    /// Has the server do something: `emit`, `raw`, `disconnect`, `close`, `abort`.
    ///
    /// - Parameter details: JSON, as `slp_server.py` says at each.
    package func order(_ what: String, _ details: String = "{}") async throws {
        _ = try await answer(to: what, details)
    }

    /// What the server says to such an order.
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

    /// What the server says of itself at `/control/NAME`.
    package func state<Value: Decodable>(of name: String) async throws -> Value {
        let request = HTTPClientRequest(url: "http://127.0.0.1:\(control)/control/\(name)")
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 16 << 20)
        return try JSONDecoder().decode(Value.self, from: Data(body.readableBytesView))
    }

    /// Waits until the server's state is so.
    package func comesTo(_ what: String, _ isSo: (State) -> Bool) async throws {
        try await eventually(what, state: { run.errors }) { isSo(try await state()) ? true : nil }
    }
}
