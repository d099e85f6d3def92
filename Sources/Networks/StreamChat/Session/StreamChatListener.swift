package import ChatModel
package import Sessions
import StreamChatWire

/// Archives the room of a StreamChat server: joins it, receives, and joins again after each lost connection.
package struct StreamChatListener: Listener {
    /// The number of names that are read from the store for each connection; the parser keeps as many (``KnownNames``).
    static let knownNames = 10_000

    /// The error that is reported between the join and the first byte. Many servers don't announce a client's own join
    /// to it, and send nothing else in a quiet room.
    package static let unanswered = "asked to join; the server has sent nothing yet, so coverage is unknown"

    let configuration: StreamChatConfiguration
    let connector: any Connector
    let tools: ListenerTools

    package init(_ configuration: StreamChatConfiguration, connector: any Connector, tools: ListenerTools) {
        (self.configuration, self.connector, self.tools) = (configuration, connector, tools)
    }

    /// Runs the listener, and stops when `inputs` ends.
    package func run(
        inputs: AsyncStream<ListenerInput>, into sink: any EventSink, state: any ListenerState,
        report: @escaping @Sendable (ListenerReport) -> Void
    ) async {
        let outbox = Outbox()
        let loop = SessionLoop(WatchedValue(configuration), tools, into: sink, state: state, report: report)
        // StreamChat has no login.
        await loop.run(inputs, send: { send($0, into: outbox) }, loginChanged: {}) { attempt in
            await StreamChatAttempt(listener: self, attempt: attempt, outbox: outbox).run()
        }
    }

    /// Sends a message. Returns nil if it is on its way to the server, otherwise the reason why not.
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
    /// The server's one room, which has no name on the network.
    var roomReference: RoomReference {
        RoomReference(key: "", name: room, kind: .server)
    }
}
