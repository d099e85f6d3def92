import ChatModel
import Logging
import Sessions
import XMPPWire

/// One attempt to archive an account: connects, logs in, and receives until that ends.
struct XMPPAttempt: Sendable {
    let listener: XMPPListener
    let secrets: XMPPSecrets
    let attempt: SessionAttempt

    func run() async -> SessionLoop.Outcome {
        let stored: XMPPStoredState
        do {
            stored = XMPPStoredState(
                direct: try await attempt.loop.state.expectedRooms(kind: .direct),
                partners: try await attempt.loop.state.partners())
        } catch {
            return .failed(detail: "the archive can't be read: \(error)")
        }
        let servers = await attempt.stop.cancelling { await listener.servers() }
        var outcome = SessionLoop.Outcome.failed(
            detail: "the domain \(listener.configuration.account.domain) has no XMPP server; set server")
        for server in servers where !attempt.stop.isSet {
            do throws(ConnectionError) {
                return try await server.connector.withConnection(host: server.host, port: server.port) { connection in
                    await XMPPConnection(listener, connection, attempt).run(secrets, stored)
                }
            } catch {
                outcome = .failed(detail: error.detail)
            }
        }
        return outcome
    }
}

/// The facts that an attempt has at its start, from the archive.
struct XMPPStoredState: Sendable {
    /// The conversations with single people.
    var direct: [RoomReference]
    /// Their partners, by the room's key.
    var partners: [String: UserReference]
}

extension LoginFailure {
    /// Returns the outcome for the loop: the time of the next attempt, or that the login must change.
    func outcome(_ configuration: XMPPConfiguration) -> SessionLoop.Outcome {
        switch self {
        case .refused: .refused(detail: detail, advice: "to retry at once, change the password in its file")
        case .temporary: .failed(detail: detail, pause: configuration.temporaryPause)
        case .noMechanism, .invalidServer, .ended: .failed(detail: detail)
        }
    }
}
