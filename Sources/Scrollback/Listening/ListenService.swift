import Logging
import ServiceLifecycle

/// All accounts of the running listener, side by side: one that fails or is slow to leave does not hold the others.
struct ListenService: Service {
    let accounts: [AccountService]
    let evictions: EvictionService
    let folder: String
    var systemd: SystemdSocket?
    let logger: Logger

    func run() async throws {
        logger.info("listening", metadata: ["folder": "\(folder)", "accounts": "\(accounts.count)"])
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await evictions.run() }
                for account in accounts {
                    group.addTask { await account.run() }
                }
            }
        } onGracefulShutdown: {
            systemd?.tell("STOPPING=1\nSTATUS=storing what was received")
        }
        logger.info("stopped")
    }
}
