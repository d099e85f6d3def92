import ChatModel
import IRCWire
import Logging
import Sessions

/// Registers the account, up to the session.
extension IRCLink {
    /// The port at which the server demands TLS instead of this connection; nil if it does not.
    var demandedPort: Int? {
        mailbox.withSession { state in
            guard case .failed(.tlsDemanded(let port)) = state.outcome else { return nil }
            return port
        }
    }

    func limitRegistration() async {
        try? await listener.tools.clock.sleep(for: listener.configuration.registrationTimeout)
        if mailbox.withSession({ $0.outcome == nil && $0.login.isAwaited }) {
            try? await listener.tools.clock.sleep(for: listener.configuration.loginTimeout)
        }
        guard !Task.isCancelled else { return }
        mailbox.withSession { state in
            guard state.outcome == nil else { return }
            if state.login.isAwaited {
                state.outcome = .failed(.authenticationUnavailable(Registration.noLoginOffered))
                return
            }
            let silence = "; it sent nothing (check the port, and TLS)"
            state.outcome = .broken(
                detail: "the server did not complete the login within \(listener.configuration.registrationTimeout)"
                    + (state.login.lastText.map { "; its last message was: \($0)" }
                        ?? (connection.readsTaken == 0 ? silence : "")))
        }
        isSettled.set()
    }

    /// Gives a read to the registration. Keeps the lines after the registration until there is a session.
    func register(_ received: Received) async -> SessionEnd? {
        let (outcome, awaitsLogin) = send { state in
            guard state.outcome == nil else { return (state.outcome, false) }
            let wasAwaited = state.login.isAwaited
            let (answers, outcome) = state.login.received(received.bytes)
            state.outbox.postUrgent(answers)
            state.outcome = outcome
            return (outcome, !wasAwaited && state.login.isAwaited)
        }
        guard let outcome else {
            if awaitsLogin { reportAwaitedLogin() }
            return nil
        }
        isSettled.set()
        guard case .ready = outcome else { return SessionEnd(reason: .closed) }
        await isOpen.wait()
        return nil
    }

    static let awaitedLogin = "can't log in: \(Registration.noLoginOffered)"

    private func reportAwaitedLogin() {
        attempt.loop.reporter.noteError("\(Self.awaitedLogin); waiting until it does")
        attempt.loop.tools.logger.warning(
            "can't log in yet; waiting for the server", metadata: ["reason": "\(Registration.noLoginOffered)"])
    }
}
