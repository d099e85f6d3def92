package import Sessions
import TestSupport

/// Connects to what the test provides, in that order.
package final class ScriptedConnector: Connector {
    private struct State {
        var outcomes: [Result<ScriptedConnection, ConnectionError>] = []
        var attempts = 0
    }

    private let state = Watched(State())

    package init() {}

    /// For an attempt to come, or one that waits.
    package func accept() -> ScriptedConnection {
        let connection = ScriptedConnection()
        state.change { $0.outcomes.append(.success(connection)) }
        return connection
    }

    package func refuse() {
        state.change { $0.outcomes.append(.failure(ConnectionError(code: .refused, detail: "refused"))) }
    }

    package func attempted(_ count: Int) async {
        await state.wait { $0.attempts >= count }
    }

    package var attempts: Int { state.value.attempts }

    package func withConnection<Outcome: Sendable>(
        host: String, port: Int, _ body: @Sendable (any Connection) async -> Outcome
    ) async throws(ConnectionError) -> Outcome {
        state.change { $0.attempts += 1 }
        await withTaskCancellationHandler {
            await state.wait { !$0.outcomes.isEmpty }
        } onCancel: {
            refuse()
        }
        let connection = try state.change { $0.outcomes.removeFirst() }.get()
        defer { connection.state.change { $0.isClosed = true } }
        return await body(connection)
    }
}
