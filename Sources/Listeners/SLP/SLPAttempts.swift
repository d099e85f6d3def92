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
        let connected = Signal()
        let heard = await stop.cancelling(unless: { connected.isSet }) { [receipts] in
            await connect(connected, receipts)
        }
        receipts = heard.receipts
        return heard.outcome
    }

    /// Sets `connected` where there is a connection, which is ended in good order at a stop; until then it is cancelled.
    private func connect(_ connected: Signal, _ receipts: ReceiptClock) async -> Heard {
        let (configuration, logger) = (listener.configuration, listener.logger)
        let connector = SocketIOConnector(
            configuration.socket, group: listener.group, clock: listener.clock, wallClock: listener.wallClock)
        do {
            return try await SLPClient.with(
                configuration.service, clock: listener.clock, wallClock: listener.wallClock, logger: logger,
                group: listener.group
            ) { client in
                let (me, directory) = try await prepare(client)
                // What only a person can mend is waited for without a connection.
                return try await connector.withConnection { connection in
                    connected.set()
                    return await hear(connection, client, me: me, directory, receipts)
                }.get()
            }
        } catch let error as SLPError {
            return Heard(outcome: await outcome(of: error), receipts: receipts)
        } catch let error as ConnectionError {
            return Heard(outcome: .failed(detail: error.detail, lived: nil), receipts: receipts)
        } catch {
            return Heard(outcome: stop.isSet ? .over : .failed(detail: "\(error)", lived: nil), receipts: receipts)
        }
    }

    /// Files are fetched beside what is heard, by the same client, and so at the account's pace.
    private func fetchingFiles(_ client: SLPClient, _ body: @escaping @Sendable () async -> SessionEnd) async
        -> SessionEnd
    {
        guard let store = listener.attachments else { return await body() }
        let files = SLPFiles(
            client: client, store: store, limits: listener.configuration.files, clock: listener.clock,
            wallClock: listener.wallClock, logger: listener.logger)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await files.run() }
            defer { group.cancelAll() }
            return await body()
        }
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
    ) async -> Result<Heard, SLPError> {
        guard !stop.isSet else { return .success(Heard(outcome: .over, receipts: receipts)) }
        let stopwatch = Stopwatch(listener.clock)
        var receipts = receipts
        receipts.beginConnection()
        let openedAt = receipts.stamp(listener.wallClock())
        let opened = await stop.cancelling { [sink] in try? await sink.append([.sessionOpened(at: openedAt)]).first }
        guard case .new(let number)? = opened else {
            let detail = "the archive did not open a session"
            return .success(Heard(outcome: .failed(detail: detail, lived: nil), receipts: receipts))
        }
        let buffer = EventBuffer(limit: listener.configuration.bufferBytes)
        let link = SLPLink(
            SessionID(rawValue: number), listener: listener, connection: connection, client: client, me: me,
            state: state, reporter: reporter, buffer: buffer, receipts: receipts)
        listener.logger.info("connected", metadata: ["session": "\(number)", "rooms": "\(directory.rooms.count)"])
        reporter.connected()
        let storage = EventStorage(
            buffer: buffer, sink: sink, stop: stop, clock: listener.clock, timeout: listener.configuration.storeTimeout)
        let end = await fetchingFiles(client) { await storage.run { await link.run(directory, until: stop) } }
        listener.logger.info("disconnected", metadata: ["session": "\(number)", "reason": "\(end.reason.rawValue)"])
        if let error = link.loginTrouble { return .failure(error) }
        return .success(
            Heard(
                outcome: end.reason == .stopped
                    ? .over : .failed(detail: end.detail ?? end.reason.rawValue, lived: stopwatch.elapsed),
                receipts: link.receipts))
    }
}
