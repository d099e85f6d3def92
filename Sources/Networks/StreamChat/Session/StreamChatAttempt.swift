import ChatModel
import Logging
import Sessions

/// One attempt to archive a room: prepares, connects, and receives until that ends.
struct StreamChatAttempt: Sendable {
    let listener: StreamChatListener
    let attempt: SessionAttempt
    let outbox: Outbox

    private var configuration: StreamChatConfiguration { listener.configuration }

    func run() async -> SessionLoop.Outcome {
        let (state, sink) = (attempt.loop.state, attempt.loop.sink)
        let names: [String]
        do {
            try await JournalReplay(configuration: configuration, state: state, sink: sink).run()
            names = try await state.knownNames(
                room: configuration.roomReference, limit: StreamChatListener.knownNames)
        } catch {
            return .failed(detail: "the archive can't be read: \(error)")
        }
        do throws(ConnectionError) {
            return try await listener.connector.withConnection(host: configuration.host, port: configuration.port) {
                [attempt] connection in
                await attempt.runSession(isAnswered: false) { await runSession(connection, names: names, $0) }
            }
        } catch {
            return .failed(detail: error.detail)
        }
    }

    private func runSession(
        _ connection: any Connection, names: [String], _ opened: SessionAttempt.Opened
    ) async -> SessionAttempt.Closed {
        let session = StreamChatSession(
            id: opened.id, openedAt: opened.openedAt, elapsed: opened.stopwatch.elapsed, receipts: opened.receipts,
            decoder: StreamChatDecoder(session: opened.id, configuration: configuration, names: names),
            room: configuration.roomReference, silenceLimit: configuration.silenceLimit)
        let link = StreamChatLink(
            mailbox: Mailbox(session, tools: listener.tools, opened), configuration: configuration,
            connection: connection, reporter: attempt.loop.reporter)
        // Lists the room from here on, also for imports, although it may have no messages for hours.
        opened.buffer.push([.roomListed(RoomListing(room: configuration.roomReference), at: opened.openedAt)])
        let closed = await link.run(messages: outbox.open(), until: attempt.stop)
        outbox.close()
        return closed
    }
}
