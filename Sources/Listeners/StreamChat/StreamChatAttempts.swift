import ChatModel
import Logging

/// One attempt after the other to hear a room: prepare, connect, hear it until that ends.
struct StreamChatAttempts: Sendable {
    /// A connection that was had.
    private struct Heard: Sendable {
        var outcome: ReconnectLoop.Attempt
        var receipts: ReceiptClock
    }

    let listener: StreamChatListener
    let sink: any EventSink
    let state: any ListenerState
    let reporter: Reporter
    let outbox: Outbox
    let stop: Signal

    /// - Parameter receipts: The account's clock, from one attempt to the next.
    func attempt(_ receipts: inout ReceiptClock) async -> ReconnectLoop.Attempt {
        let names: [String]
        do {
            if let last = try await state.lastReceipt() { receipts.advance(to: last) }
            try await JournalReplay(configuration: listener.configuration, state: state, sink: sink).run()
            names = try await state.knownNames(
                room: listener.configuration.roomReference, limit: StreamChatListener.knownNames)
        } catch {
            return .failed(detail: "the archive can't be read: \(error)", lived: nil)
        }
        if let lead = receipts.lead(over: listener.wallClock()) {
            // Better a wrong time than no message.
            listener.logger.warning(
                "What was received is later than the clock: times stand still until it has caught up",
                metadata: ["by": "\(lead)"])
        }
        return await connect(names: names, &receipts)
    }

    /// `stop` ends an attempt to connect at once; a connection that is had is ended in good order.
    private func connect(names: [String], _ receipts: inout ReceiptClock) async -> ReconnectLoop.Attempt {
        let connected = Signal()
        let result: Result<Heard, ConnectionError> = await stop.cancelling(unless: { connected.isSet }) {
            [configuration = listener.configuration, receipts] in
            do throws(ConnectionError) {
                return .success(
                    try await listener.connector.withConnection(host: configuration.host, port: configuration.port) {
                        connected.set()
                        return await hear($0, names: names, receipts)
                    })
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let heard):
            receipts = heard.receipts
            return heard.outcome
        case .failure(let error):
            return .failed(detail: error.detail, lived: nil)
        }
    }

    /// Opens a session, and has ended it when this returns.
    private func hear(_ connection: any Connection, names: [String], _ receipts: ReceiptClock) async -> Heard {
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
        let id = SessionID(rawValue: number)
        let session = StreamChatSession(
            id: id, openedAt: openedAt, elapsed: stopwatch.elapsed, receipts: receipts,
            decoder: StreamChatDecoder(session: id, configuration: listener.configuration, names: names),
            room: listener.configuration.roomReference, silenceLimit: listener.configuration.silenceLimit)
        let buffer = EventBuffer(limit: listener.configuration.bufferBytes)
        let link = StreamChatLink(
            session, configuration: listener.configuration, connection: connection, clock: listener.clock,
            stopwatch: stopwatch, wallClock: listener.wallClock, reporter: reporter, buffer: buffer)
        listener.logger.info("connected", metadata: ["session": "\(number)"])
        reporter.connected()
        let storage = EventStorage(
            buffer: buffer, sink: sink, stop: stop, clock: listener.clock,
            timeout: listener.configuration.storeTimeout)
        let end = await storage.run { await link.run(speech: outbox.open(), until: stop) }
        outbox.close()
        listener.logger.info("disconnected", metadata: ["session": "\(number)", "reason": "\(end.reason.rawValue)"])
        return Heard(
            outcome: end.reason == .stopped
                ? .over : .failed(detail: end.detail ?? end.reason.rawValue, lived: stopwatch.elapsed),
            receipts: link.receipts)
    }
}
