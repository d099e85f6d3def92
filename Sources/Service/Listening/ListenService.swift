import FoundationEssentials
import Glibc
import Logging
import ServiceLifecycle
import Settings

/// Runs all accounts of the listener at the same time. An account that fails or is slow to leave does not delay the
/// others.
struct ListenService: Service {
    let accounts: OpenAccounts
    let evictions: EvictionService
    let folder: String
    var systemd: SystemdSocket?
    /// The reload of the configuration, and the requests for it; nil for a listener without reloads.
    var reload: (ConfigurationReload, requests: AsyncStream<Void>)?
    let logger: Logger

    /// The time between two attempts to notify systemd when its socket is full.
    private static let retryInterval = Duration.milliseconds(100)

    func run() async throws {
        let first = accounts.all
        logger.info("listening", metadata: ["folder": "\(folder)", "accounts": "\(first.count)"])
        if let configuration = reload?.0.configuration { warn(ofNoAccountIn: configuration) }
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await evictions.run() }
                for account in first {
                    group.addTask { await account.run() }
                }
                await reloadOnRequest { account in
                    group.addTask { await account.run() }
                }
            }
        } onGracefulShutdown: {
            systemd?.notify("STOPPING=1\nSTATUS=storing received events")
        }
        logger.info("stopped")
    }

    /// Reads the configuration again at each request, one after the other, until graceful shutdown.
    private func reloadOnRequest(start: (AccountService) -> Void) async {
        guard let (first, requests) = reload else { return }
        var reload = first
        for await _ in requests.cancelOnGracefulShutdown() {
            await notify("RELOADING=1\nMONOTONIC_USEC=\(Self.monotonicMicroseconds)")
            await reload.perform(start: start)
            warn(ofNoAccountIn: reload.configuration)
            guard !Task.isShuttingDownGracefully else { return }
            await notify("READY=1")
        }
    }

    /// Logs that a configuration has no account. The listener continues, because a reload may bring one.
    private func warn(ofNoAccountIn configuration: Configuration) {
        guard configuration.accounts.isEmpty else { return }
        logger.warning(
            """
            no account is configured, so no messages are received; add one (scrollback init prints an example), then reload: \
            kill -HUP PROCESS
            """,
            metadata: [
                "configuration": "\(configuration.path)", "process": "\(ProcessInfo.processInfo.processIdentifier)",
            ])
    }

    /// Notifies systemd, which waits for these messages.
    private func notify(_ state: String) async {
        while systemd?.notify(state) == false {
            guard (try? await Task.sleep(for: Self.retryInterval)) != nil else { return }
        }
    }

    /// The time of the clock that systemd compares with its own: sd_notify(3).
    private static var monotonicMicroseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
