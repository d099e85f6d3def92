import ChatModel
import Logging
import SLPWire

/// One attempt after the other to hear an account's rooms: log in, list them, connect, hear them until that ends.
struct SLPAttempts: Sendable {
    private struct Heard: Sendable {
        var outcome: ReconnectLoop.Attempt
        var receipts: ReceiptClock
    }

    let listener: SLPListener
    let sink: any EventSink
    let state: any ListenerState
    let reporter: Reporter
    let stop: Signal

    /// - Parameter receipts: The account's clock, from one attempt to the next.
    func attempt(_ receipts: inout ReceiptClock) async -> ReconnectLoop.Attempt {
        do {
            if let last = try await state.lastReceipt() { receipts.advance(to: last) }
        } catch {
            return .failed(detail: "the archive can't be read: \(error)", lived: nil)
        }
        let heard = await stop.cancelling(unless: { true }) { [receipts] in await connect(receipts) }
        receipts = heard.receipts
        return heard.outcome
    }

    private func connect(_ receipts: ReceiptClock) async -> Heard {
        let (configuration, logger) = (listener.configuration, listener.logger)
        let connector = SocketIOConnector(
            configuration.socket, group: listener.group, clock: listener.clock, wallClock: listener.wallClock)
        do {
            return try await SLPClient.with(
                configuration.service, clock: listener.clock, logger: logger, group: listener.group
            ) { client in
                let prepared = try await cancelledByStop { try await prepare(client) }
                guard let prepared else { return Heard(outcome: .over, receipts: receipts) }
                return try await connector.withConnection { connection in
                    await hear(connection, client, me: prepared.me, prepared.directory, receipts)
                }
            }
        } catch let error as SLPError {
            return Heard(outcome: await outcome(of: error), receipts: receipts)
        } catch let error as ConnectionError {
            return Heard(outcome: .failed(detail: error.detail, lived: nil), receipts: receipts)
        } catch {
            return Heard(outcome: stop.isSet ? .over : .failed(detail: "\(error)", lived: nil), receipts: receipts)
        }
    }

    /// Nil where the stop came first.
    private func cancelledByStop<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws
        -> Value?
    {
        let result: Result<Value, any Error> = await stop.cancelling {
            do { return .success(try await body()) } catch { return .failure(error) }
        }
        return stop.isSet ? nil : try result.get()
    }

    private func prepare(_ client: SLPClient) async throws -> (me: String, directory: SLPDirectory) {
        guard case .value(let profile, _) = try await client.profile() else {
            throw SLPError(code: .unexpected, detail: "the server does not say who we are")
        }
        let me = profile.user.id
        let directory = try await SLPDirectory.read(
            client, me: me, channels: listener.configuration.channels, at: listener.wallClock)
        return (me, directory)
    }

    /// What nobody but a person can mend is waited with until the stop.
    private func outcome(of error: SLPError) async -> ReconnectLoop.Attempt {
        guard [.accountStopped, .needsLogin].contains(error.code) else {
            return .failed(detail: error.detail, lived: nil)
        }
        listener.logger.error("can't log in", metadata: ["reason": "\(error.detail)"])
        reporter.needsLogin(error: error.detail)
        await stop.wait()
        return .over
    }

    /// Opens a session, and has ended it when this returns.
    private func hear(
        _ connection: SocketIOConnection, _ client: SLPClient, me: String, _ directory: SLPDirectory,
        _ receipts: ReceiptClock
    ) async -> Heard {
        guard !stop.isSet else { return Heard(outcome: .over, receipts: receipts) }
        let stopwatch = Stopwatch(listener.clock)
        var receipts = receipts
        receipts.beginConnection()
        let openedAt = receipts.stamp(listener.wallClock())
        let opened = await stop.cancelling { [sink] in try? await sink.append([.sessionOpened(at: openedAt)]).first }
        guard case .new(let number)? = opened else {
            let detail = "the archive did not open a session"
            return Heard(outcome: .failed(detail: detail, lived: nil), receipts: receipts)
        }
        let buffer = EventBuffer(limit: listener.configuration.bufferBytes)
        let link = SLPLink(
            SessionID(rawValue: number), listener: listener, connection: connection, client: client, me: me,
            state: state, reporter: reporter, buffer: buffer, receipts: receipts)
        listener.logger.info("connected", metadata: ["session": "\(number)", "rooms": "\(directory.rooms.count)"])
        reporter.connected()
        let storage = EventStorage(
            buffer: buffer, sink: sink, stop: stop, clock: listener.clock, timeout: listener.configuration.storeTimeout)
        let end = await storage.run { await link.run(directory, until: stop) }
        listener.logger.info("disconnected", metadata: ["session": "\(number)", "reason": "\(end.reason.rawValue)"])
        if let error = link.loginTrouble { return Heard(outcome: await outcome(of: error), receipts: link.receipts) }
        return Heard(
            outcome: end.reason == .stopped
                ? .over : .failed(detail: end.detail ?? end.reason.rawValue, lived: stopwatch.elapsed),
            receipts: link.receipts)
    }
}
