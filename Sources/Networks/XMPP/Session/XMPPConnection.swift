import ChatModel
import Logging
import Sessions
import Synchronization
import XMPPWire

/// Runs one connection: logs in, reads, and writes. ``XMPPLink`` archives what comes after the login.
final class XMPPConnection: Sendable {
    let listener: XMPPListener
    let connection: any Connection
    let attempt: SessionAttempt
    private let outbox = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(1024))
    /// Set when the login has an outcome, or the connection has ended.
    private let isSettled = Signal()
    /// Set when the archive has a session.
    private let isOpen = Signal()
    private let state = Mutex(State())

    private struct State: Sendable {
        var outcome: XMPPLogin.Outcome?
        var end: SessionEnd?
        var link: XMPPLink?
        /// True once the server was asked to continue a stream.
        var isResuming = false
    }

    init(_ listener: XMPPListener, _ connection: any Connection, _ attempt: SessionAttempt) {
        (self.listener, self.connection, self.attempt) = (listener, connection, attempt)
    }

    /// Logs in, opens a session and runs it, until the connection ends or a stop is requested.
    func run(_ secrets: XMPPSecrets, _ stored: XMPPStoredState) async -> SessionLoop.Outcome {
        let left = listener.takeLeftStream(at: listener.tools.readClocks().wall)
        let configuration = listener.configuration
        let login = XMPPLogin(
            domain: configuration.account.domain, resource: listener.resource,
            credentials: configuration.credentials(secrets), resumption: left?.resumption)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.read(login) }
            group.addTask { await self.write() }
            group.addTask {
                guard (try? await self.listener.tools.clock.sleep(for: configuration.loginTimeout)) != nil,
                    !self.isSettled.isSet
                else { return }
                self.settle(end: SessionEnd(reason: .silent, detail: "the server did not finish the login in time"))
            }
            send(login.header)
            let outcome = await self.runAfterLogin(left, stored)
            group.cancelAll()
            return outcome
        }
    }

    private func runAfterLogin(_ left: XMPPLeftStream?, _ stored: XMPPStoredState) async -> SessionLoop.Outcome {
        await attempt.stop.cancelling { await self.isSettled.wait() }
        let (outcome, end) = state.withLock { ($0.outcome, $0.end) }
        switch outcome {
        case .failed(let failure): return failure.outcome(listener.configuration)
        case .bound(let me, let hasManagement):
            return await archive(stored, me: me, hasManagement: hasManagement, left: nil)
        case .resumed:
            guard let left else { return .failed(detail: "the server resumed a stream that is not ours") }
            return await archive(stored, me: left.session.me, hasManagement: true, left: left)
        case nil:
            // Prosody closes the connection to refuse (0.12.3); without the question, the stream may still be there.
            if let left, !state.withLock({ $0.isResuming }) { listener.left.change(to: left) }
            return .failed(detail: end?.detail ?? "the connection ended during the login")
        }
    }

    private func archive(
        _ stored: XMPPStoredState, me: JID, hasManagement: Bool, left: XMPPLeftStream?
    ) async -> SessionLoop.Outcome {
        let opened = Mutex<SessionAttempt.Opened?>(nil)
        let outcome = await attempt.runSession { session in
            opened.withLock { $0 = session }
            let link = XMPPLink(self, session, stored, me: me, left: left)
            self.state.withLock { $0.link = link }
            self.isOpen.set()
            self.listener.current.change(to: link)
            defer { self.listener.current.change(to: nil) }
            return await link.run(hasManagement: hasManagement)
        }
        // What is not stored must come again, from the archive.
        let isStored = opened.withLock { $0 }?.buffer.unstored == 0
        if isStored, let link = state.withLock({ $0.link }) { listener.left.change(to: link.leftStream()) }
        return outcome
    }

    func send(_ bytes: [UInt8]) {
        if case .dropped = outbox.continuation.yield(bytes) {
            settle(end: SessionEnd(reason: .violation, detail: "the server does not read what we send"))
        }
    }

    private func write() async {
        for await bytes in outbox.stream {
            // A connection that can't be written can't be read either, and the reading task reports the reason.
            guard (try? await connection.send(bytes)) != nil else { return }
        }
    }

    private func read(_ first: XMPPLogin) async {
        var (login, splitter) = (first, StanzaSplitter())
        let end: SessionEnd
        do {
            let own = try await connection.forEachRead { received -> SessionEnd? in
                guard !isSettled.isSet else { return await receive(received, splitter) }
                let (units, failure) = splitter.split(received.bytes)
                for (place, unit) in units.enumerated() {
                    let actions = login.take(unit)
                    if login.isResuming { state.withLock { $0.isResuming = true } }
                    for action in actions {
                        switch action {
                        case .send(let bytes): send(bytes)
                        case .restart: splitter = StanzaSplitter()
                        case .finish(let outcome): settle(outcome)
                        }
                    }
                    // The server waits for our new header.
                    if actions.contains(.restart) { return nil }
                    guard !isSettled.isSet else {
                        let rest = Array(units[(place + 1)...])
                        return await receive(received, rest, failure, isWhole: splitter.isBetweenStanzas)
                    }
                }
                return failure.map { SessionEnd(reason: .violation, detail: $0) }
            }
            end = own ?? SessionEnd(reason: .closed, detail: "the server closed the connection")
        } catch {
            end = SessionEnd(error)
        }
        settle(end: end)
    }

    private func receive(_ received: Received, _ splitter: StanzaSplitter) async -> SessionEnd? {
        let (units, failure) = splitter.split(received.bytes)
        return await receive(received, units, failure, isWhole: splitter.isBetweenStanzas)
    }

    private func receive(
        _ received: Received, _ units: [StanzaSplitter.Unit], _ failure: String?, isWhole: Bool
    ) async -> SessionEnd? {
        await isOpen.wait()
        guard let link = state.withLock({ $0.link }) else { return nil }
        return await link.receive(units, failure, at: received.at, isWhole: isWhole)
    }

    private func settle(_ outcome: XMPPLogin.Outcome) {
        state.withLock { $0.outcome = $0.outcome ?? outcome }
        isSettled.set()
    }

    private func settle(end: SessionEnd) {
        let link = state.withLock { state in
            state.end = state.end ?? end
            return state.link
        }
        link?.mailbox.end(end)
        isSettled.set()
    }
}

extension XMPPConfiguration {
    func credentials(_ secrets: XMPPSecrets) -> XMPPCredentials {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        var random = SystemRandomNumberGenerator()
        // 25 letters and digits of 5.95 bits each are more than 18 bytes.
        let nonce = String((0..<25).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
        return XMPPCredentials(
            user: account.local, password: secrets.password, hasCertificate: hasCertificate, nonce: nonce,
            allowsPlain: isPrivate)
    }
}
