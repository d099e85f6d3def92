import ChatModel
import Logging
import Reading
import ServiceLifecycle
import Sessions
import Settings
import Writing

/// One account of the running listener. It connects the account's network with its file.
package struct AccountService: Sendable {
    let account: AccountIdentity
    let listener: any Listener
    let writer: AccountWriter
    /// The sink for events: the writer, or a sink in front of it.
    let sink: any EventSink
    let registry: StatusRegistry
    private let retention: RetentionService
    let logger: Logger
    /// The time between two checks of the search index for missing messages.
    let indexInterval: Duration
    private let inputs = AsyncStream<ListenerInput>.makeStream()
    private let hasEnded = Signal()
    /// The configuration's names of the account's own person, which are not stored yet.
    private let ownNames = AsyncStream<[String]>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(
        account: AccountIdentity, listener: any Listener, writer: AccountWriter, sink: any EventSink,
        registry: StatusRegistry, me: [String] = [], retention: RetentionSettings = RetentionSettings(),
        plan: @escaping @Sendable (RetentionRules) async throws -> RetentionPlan, logger: Logger,
        indexInterval: Duration = .seconds(10)
    ) {
        (self.account, self.listener, self.writer, self.sink) = (account, listener, writer, sink)
        (self.registry, self.logger) = (registry, logger)
        self.retention = RetentionService(
            writer: writer, settings: retention, plan: plan, report: { registry.note($0, of: account) }, logger: logger)
        self.indexInterval = indexInterval
        ownNames.continuation.yield(me)
    }

    /// Runs until ``stop()`` or graceful shutdown. After that, leaves the network and stores the received events, or
    /// logs the failure.
    func run() async {
        defer {
            registry.ended(account)
            hasEnded.set()
        }
        inputs.continuation.yield(.start)
        await withTaskGroup { tasks in
            tasks.addTask { await retention.run() }
            tasks.addTask { await index() }
            tasks.addTask { await storeOwnNames() }
            await withGracefulShutdownHandler {
                await listener.run(inputs: inputs.stream, into: sink, state: writer) { registry.report(account, $0) }
            } onGracefulShutdown: {
                stop()
            }
            tasks.cancelAll()
        }
        if let trouble = writer.trouble {
            logger.error(
                "the last received events are not stored",
                metadata: ["account": "\(account.name)", "error": "\(trouble)"])
        }
        do {
            try await writer.close()
        } catch {
            logger.error(
                "could not close the account's file", metadata: ["account": "\(account.name)", "error": "\(error)"])
        }
    }

    /// Stops this account only.
    func stop() {
        inputs.continuation.yield(.stop)
    }

    /// Returns when the account has left its network and closed its file.
    func end() async {
        await hasEnded.wait()
    }

    /// Notes that a command has applied retention rules.
    func rulesWereApplied() async { await retention.rulesWereApplied() }

    /// Applies a changed configuration.
    ///
    /// - Precondition: No changed key requires a reconnect.
    func apply(_ configuration: AccountConfiguration) {
        retention.change(to: configuration.retention)
        ownNames.continuation.yield(configuration.me)
        if let configuration = configuration.network.listened.listenerConfiguration(folder: writer.folderPath) {
            inputs.continuation.yield(.configure(configuration))
        }
    }

    /// Stores each list of the own person's names until cancelled. Retries after errors, because the disk may be full.
    private func storeOwnNames() async {
        for await names in ownNames.stream {
            var reported: String?
            while !Task.isCancelled {
                do {
                    try await writer.setOwnNames(names, from: .configuration)
                    break
                } catch {
                    warn("the names in \"me\" are not stored; retrying", error, &reported)
                    try? await Task.sleep(for: indexInterval)
                }
            }
        }
    }

    /// Fills the search index until cancelled. Continues after errors, because they may pass, and because the index may
    /// be rebuilt at any time, after damage or by a command.
    private func index() async {
        var reported: String?
        repeat {
            do {
                while !Task.isCancelled, try await writer.indexStep().from != nil {}
                reported = nil
            } catch {
                warn("the search index is incomplete; retrying", error, &reported)
            }
        } while (try? await Task.sleep(for: indexInterval)) != nil
    }

    /// Logs an error, unless it is the one that was reported last.
    private func warn(_ message: Logger.Message, _ error: any Error, _ reported: inout String?) {
        let detail = "\(error)"
        if detail != reported {
            logger.warning(message, metadata: ["account": "\(account.name)", "error": "\(detail)"])
        }
        reported = detail
    }
}
