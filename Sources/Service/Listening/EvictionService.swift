import Archive
import ChatModel
import Files
import Logging
import Moves
import ServiceLifecycle
import Sessions

/// Keeps the data folder of the running listener within its limits of uncompressed accounts, its own included.
struct EvictionService: Sendable {
    let archive: Archive
    let limits: WatchedValue<HotLimits>
    let logger: Logger
    /// The time between two checks; the shorter one after an account was in use, perhaps by a short command.
    static let interval = Duration.seconds(60)
    static let retryInterval = Duration.seconds(5)

    /// Runs until graceful shutdown, which interrupts the work on an account at the next piece of its file and leaves
    /// the account as it was. First completes or rolls back the moves that a crash interrupted.
    func run() async {
        await cancelWhenGracefulShutdown {
            await recover()
            var wasOver = false
            repeat {
                wasOver = await evict(over: limits.value, wasOver: wasOver)
            } while (try? await Task.sleep(for: wasOver ? Self.retryInterval : Self.interval)) != nil
        }
    }

    private func recover() async {
        do {
            try await untilCancelled { check in
                try archive.recover(check: check) { error in
                    logger.warning("could not recover an account", metadata: ["error": "\(error)"])
                }
            }
        } catch is CancellationError {
            // The next start does the remaining work.
        } catch {
            logger.warning("could not read the accounts", metadata: ["error": "\(error)"])
        }
    }

    /// Runs the body on another thread.
    ///
    /// - Parameter body: Receives a check that throws once the task is cancelled.
    private func untilCancelled<T: Sendable>(
        _ body: @escaping @Sendable (_ check: @escaping @Sendable () throws -> Void) throws -> T
    ) async throws -> T {
        let limit = ReadLimit()
        return try await withTaskCancellationHandler {
            try await onThread { try body(limit.check) }
        } onCancel: {
            limit.cancel()
        }
    }

    /// - Returns: True if the uncompressed accounts exceed the limits, which is logged once.
    private func evict(over limits: HotLimits, wasOver: Bool) async -> Bool {
        do {
            let report = try await untilCancelled { check in try archive.evictOver(limits, check: check) }
            for account in report.evicted { logger.info("evicted", metadata: ["account": "\(account.account)"]) }
            if report.isOver, !wasOver {
                let reasons = report.failed.map(\.detail).joined(separator: "; ")
                logger.warning(
                    "more accounts are uncompressed than the limits allow",
                    metadata: [
                        "accounts": "\(report.accounts)", "bytes": "\(report.bytes)", "reasons": "\(reasons)",
                    ])
            }
            return report.isOver
        } catch is CancellationError {
            return wasOver
        } catch {
            logger.warning("could not compress any account", metadata: ["error": "\(error)"])
            return wasOver
        }
    }
}
