import ChatModel
import Foundation
import Logging
import SLP
import SLPWire
import Sessions
import TestSupport
import Testing

/// The HTTP side of the workspace service of `Tests/SLPServer`, on a port of its own; ended when the value is dropped.
struct SLPService: Sendable {
    struct State: Decodable {
        /// Method and path, below the base.
        var calls: [String]
        /// Bytes of history that are with the kernel, or nearly.
        var sent: Int
        var login: Int
        var refresh: Int
        /// How many refreshes there were at once.
        var mostRefreshing: Int
        /// Rooms that the account is in.
        var joined: [String]
    }

    struct Made: Decodable {
        var id: String
        var partner: String?
    }

    let server: SLPServer
    var port: Int { server.port }

    static func start(_ generation: SLPGeneration = .two, _ arguments: [String] = []) async throws -> SLPService {
        SLPService(server: try await .start(["--generation", "\(generation.rawValue)"] + arguments))
    }

    /// Has the service be or do something, as `slp_service.py` says at each.
    @discardableResult
    func order(_ what: String, _ details: String = "{}") async throws -> Made {
        try JSONDecoder().decode(Made.self, from: await server.answer(to: "service/\(what)", details))
    }

    func state() async throws -> State {
        try await state(of: "")
    }

    /// What it says of itself at `/control/service/NAME`.
    func state<Value: Decodable>(of name: String) async throws -> Value {
        try await server.state(of: "service/\(name)")
    }

    /// A channel, in a workspace of its own unless one is given.
    func channel(
        _ name: String = "general", _ more: String = "", in workspace: String? = nil
    ) async throws -> SLPRoomAddress {
        var workspace = workspace ?? ""
        if workspace.isEmpty { workspace = try await order("workspace", #"{"name":"w"}"#).id }
        let id = try await order("channel", #"{"workspace":"\#(workspace)","name":"\#(name)"\#(more)}"#).id
        return .channel(workspace: workspace, id: id, name: name)
    }

    func direct(_ partner: String = "bob", _ more: String = "", in workspace: String) async throws -> SLPRoomAddress {
        let made = try await order("direct", #"{"workspace":"\#(workspace)","partner":"\#(partner)"\#(more)}"#)
        return .direct(workspace: workspace, id: made.id, partner: made.partner ?? "")
    }

    /// Without waiting longer than a test need.
    var configuration: SLPConfiguration {
        get throws {
            let origin = try #require(HTTPOrigin("http://127.0.0.1:\(port)"))
            let credentials = SLPCredentials(appKey: "key", email: "alice@example.net", password: "secret")
            var configuration = SLPConfiguration(server: origin, credentials: credentials)
            configuration.limits.backoff = Backoff.Limits(first: .milliseconds(1), longest: .milliseconds(2))
            configuration.limits.loginInterval = .zero
            configuration.limits.pace.shortest = .zero
            configuration.limits.pace.slowed = .milliseconds(1)
            configuration.limits.pace.longest = .milliseconds(2)
            return configuration
        }
    }

    /// What a client with this configuration does.
    func call<Result: Sendable>(
        _ change: (inout SLPConfiguration) -> Void = { _ in },
        logger: Logger = Logger(label: "test") { _ in
            SwiftLogNoOpLogHandler()
        },
        _ body: (SLPClient) async throws -> Result
    ) async throws -> Result {
        var configuration = try configuration
        change(&configuration)
        return try await SLPClient.with(configuration, logger: logger, body)
    }
}

extension SLPElements {
    /// What is whole, and how it ended. `then` is called when so many are there.
    func all(
        _ count: Int = 0, then: () async throws -> Void = {}
    ) async -> (values: [Value], error: CallError?) {
        var values: [Value] = []
        do {
            if count == 0 { try await then() }
            for try await element in self {
                values += element.value.map { [$0] } ?? []
                if values.count == count { try await then() }
            }
            return (values, nil)
        } catch {
            return (values, error as? CallError)
        }
    }
}
