package import ChatModel
import StreamChatWire

/// Archives the room of a StreamChat server: joins it, receives, and joins again whenever the connection is lost.
package struct StreamChatListener: Listener {
    /// The number of names that are read from the store for each connection; the parser keeps as many (``KnownNames``).
    static let knownNames = 10_000

    /// The error reported between the join and the first byte: many servers don't announce a client's own join to it,
    /// and have nothing else to send in a quiet room.
    package static let unanswered = "asked to join; the server has sent nothing yet, so nothing is known to be complete"

    let configuration: StreamChatConfiguration
    let connector: any Connector
    let tools: ListenerTools

    package init(_ configuration: StreamChatConfiguration, connector: any Connector, tools: ListenerTools) {
        (self.configuration, self.connector, self.tools) = (configuration, connector, tools)
    }

    /// Stops when `inputs` ends.
    package func run(
        inputs: AsyncStream<ListenerInput>, into sink: any EventSink, state: any ListenerState,
        report: @escaping @Sendable (ListenerReport) -> Void
    ) async {
        let outbox = Outbox()
        let loop = SessionLoop(WatchedValue(configuration), tools, into: sink, state: state, report: report)
        // There is nothing to log in with.
        await loop.run(inputs, send: { send($0, into: outbox) }, loginChanged: {}) { attempt in
            await StreamChatAttempt(listener: self, attempt: attempt, outbox: outbox).run()
        }
    }

    /// Returns nil when the message is on its way to the server, else the reason why not.
    private func send(_ text: String, into outbox: Outbox) -> String? {
        do {
            try Outgoing.validate(text: text)
            return outbox.post(ClientFrame.message(text: text).encoded(configuration.revision))
        } catch {
            return "not sent: \(error.detail)"
        }
    }
}

extension StreamChatConfiguration {
    /// A StreamChat server has one room, without a name of its own.
    var roomReference: RoomReference {
        RoomReference(key: "", name: room, kind: .server)
    }
}
