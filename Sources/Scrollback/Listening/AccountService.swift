import Archive
import ChatModel
import Listeners
import Logging
import ServiceLifecycle

/// One account of the running listener: its network on one side, its file on the other.
struct AccountService: Sendable {
    let account: AccountIdentity
    let listener: any Listener
    let writer: AccountWriter
    /// The writer, or what stands before it.
    let sink: any EventSink
    let registry: StatusRegistry
    let logger: Logger

    /// Until graceful shutdown; then the network is told, and what was received is stored. False when that can't be.
    func run() async -> Bool {
        let (inputs, told) = AsyncStream<ListenerInput>.makeStream()
        told.yield(.start)
        await withGracefulShutdownHandler {
            await listener.run(inputs: inputs, into: sink, state: writer) { registry.report(account, $0) }
        } onGracefulShutdown: {
            told.yield(.stop)
        }
        let trouble = writer.trouble
        if let trouble {
            logger.error(
                "what was received last is not stored",
                metadata: ["account": "\(account.name)", "error": "\(trouble)"])
        }
        do {
            try await writer.close()
        } catch {
            logger.error("store not closed", metadata: ["account": "\(account.name)", "error": "\(error)"])
        }
        return trouble == nil
    }
}
