import ChatModel
import NIOPosix
import SLPWire
import Synchronization
import TestSupport
import Testing

@testable import SLP
@testable import Sessions

/// What a test's connection has heard.
final class SocketIORecorder: Sendable {
    /// Signs of life left out.
    let contents = Watched<[SocketIOEvent.Content]>([])
    /// How the session ended: without an error in good order.
    let end = Watched<ConnectionError??>(nil)

    func waitFor(_ content: SocketIOEvent.Content) async {
        await contents.wait { $0.contains(content) }
    }

    /// The JSON of the arguments of all events, in their order.
    var arguments: [String] {
        contents.value.compactMap { content in
            if case .event(_, let event, _) = content { String(decoding: event.arguments, as: UTF8.self) } else { nil }
        }
    }

    func hasEnded() async -> ConnectionError? {
        await end.wait { $0 != nil }
        return end.value ?? nil
    }

    fileprivate func record(_ connection: SocketIOConnection) async {
        do throws(ConnectionError) {
            let _: Never? = try await connection.forEachEvent { event in
                if event.content != .signOfLife { contents.change { $0.append(event.content) } }
                return nil
            }
            end.change { $0 = .some(nil) }
        } catch {
            end.change { $0 = .some(error) }
        }
    }
}

extension SocketIOConfiguration {
    init(_ server: SLPServer) {
        self.init(host: "127.0.0.1", port: server.port, isSecure: false)
    }
}

/// Connects, hears everything while `body` runs, and has left when this returns.
func withSession(
    _ configuration: SocketIOConfiguration, clock: any Clock<Duration> = ContinuousClock(),
    _ body: @escaping @Sendable (SocketIOConnection, SocketIORecorder) async throws -> Void
) async throws {
    let connector = SocketIOConnector(configuration, group: MultiThreadedEventLoopGroup.singleton, clock: clock)
    let result: Result<Void, any Error> = try await connector.withConnection { connection in
        let recorder = SocketIORecorder()
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await recorder.record(connection) }
            defer { group.cancelAll() }
            do {
                return .success(try await body(connection, recorder))
            } catch {
                return .failure(error)
            }
        }
    }
    try result.get()
}

/// The ways to be connected to a server, as its arguments, and what carries the session then.
enum Way: CaseIterable, CustomTestStringConvertible {
    case upgraded, webSocketOnly, pollingOnly, withoutUpgrade, brokenUpgrade

    var arguments: [String] {
        switch self {
        case .upgraded: []
        case .webSocketOnly: ["--transports", "websocket"]
        case .pollingOnly: ["--transports", "polling"]
        case .withoutUpgrade: ["--no-upgrades"]
        case .brokenUpgrade: ["--break-upgrades"]
        }
    }

    var transport: SocketIOConnection.Transport {
        switch self {
        case .upgraded, .webSocketOnly: .webSocket
        case .pollingOnly, .withoutUpgrade, .brokenUpgrade: .polling
        }
    }

    var testDescription: String { "\(self)" }
    static let both = [Way.upgraded, .pollingOnly]
}

let needsVenv: Comment = "needs .venv, which .ci/make-venv makes"
