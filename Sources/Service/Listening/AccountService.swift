import Archive
import ChatModel
import Listeners
import Logging
import ServiceLifecycle

/// One account of the running listener: its network on one side, its file on the other.
package struct AccountService: Sendable {
    let account: AccountIdentity
    let listener: any Listener
    let writer: AccountWriter
    /// The writer, or what stands before it.
    let sink: any EventSink
    let registry: StatusRegistry
    /// How long the journal is kept; nil for ever.
    let rawKeep: Live<Duration?>
    let logger: Logger
    /// Between two looks at whether every message is in the search index.
    let indexInterval: Duration
    private let inputs = AsyncStream<ListenerInput>.makeStream()
    private let hasEnded = Signal()

    init(
        account: AccountIdentity, listener: any Listener, writer: AccountWriter, sink: any EventSink,
        registry: StatusRegistry, rawKeep: Duration?, logger: Logger, indexInterval: Duration = .seconds(10)
    ) {
        (self.account, self.listener, self.writer, self.sink) = (account, listener, writer, sink)
        (self.registry, self.rawKeep, self.logger) = (registry, Live(rawKeep), logger)
        self.indexInterval = indexInterval
    }

    /// Until ``stop()`` or graceful shutdown; then the network is told, and what was received is stored, or that it can't be
    /// is logged.
    func run() async {
        defer {
            registry.ended(account)
            hasEnded.set()
        }
        inputs.continuation.yield(.start)
        await withTaskGroup { tasks in
            tasks.addTask { await ageJournal() }
            tasks.addTask { await index() }
            await withGracefulShutdownHandler {
                await listener.run(inputs: inputs.stream, into: sink, state: writer) { registry.report(account, $0) }
            } onGracefulShutdown: {
                stop()
            }
            tasks.cancelAll()
        }
        if let trouble = writer.trouble {
            logger.error(
                "what was received last is not stored",
                metadata: ["account": "\(account.name)", "error": "\(trouble)"])
        }
        do {
            try await writer.close()
        } catch {
            logger.error("store not closed", metadata: ["account": "\(account.name)", "error": "\(error)"])
        }
    }

    /// Leaves this account alone.
    func stop() {
        inputs.continuation.yield(.stop)
    }

    /// Returns when it has left, and its file is closed.
    func end() async {
        await hasEnded.wait()
    }

    /// - Precondition: nothing is changed for which a network is met anew.
    func go(by configuration: AccountConfiguration) {
        rawKeep.change(to: configuration.rawKeep)
        if let configuration = configuration.network.listenerConfiguration(folder: writer.folderPath) {
            inputs.continuation.yield(.configure(configuration))
        }
    }

    /// Until cancelled: trouble may pass, and an index may be begun anew at any time, as it was damaged, or by a command.
    private func index() async {
        var told: String?
        repeat {
            do {
                while !Task.isCancelled, try await writer.indexStep().from != nil {}
                told = nil
            } catch {
                let detail = "\(error)"
                if detail != told {
                    logger.warning(
                        "the search index is not whole; trying again",
                        metadata: ["account": "\(account.name)", "error": "\(detail)"])
                }
                told = detail
            }
        } while (try? await Task.sleep(for: indexInterval)) != nil
    }

    /// Between two looks at what has become too old.
    private static let ageingInterval = Duration.seconds(3600)

    /// At once, and every hour until cancelled.
    private func ageJournal() async {
        repeat {
            guard let rawKeep = rawKeep.value else { continue }
            do {
                try await writer.ageJournal(before: Timestamp.now().advanced(by: .zero - rawKeep))
            } catch {
                logger.warning(
                    "old raw payloads are still there",
                    metadata: ["account": "\(account.name)", "error": "\(error)"])
            }
        } while (try? await Task.sleep(for: Self.ageingInterval)) != nil
    }
}
