import Logging
import ServiceLifecycle

/// All accounts of the running listener, side by side: one that fails or is slow to leave does not hold the others.
struct ListenService: Service {
    let accounts: [AccountService]
    let folder: String
    let logger: Logger

    func run() async throws {
        logger.info("listening", metadata: ["folder": "\(folder)", "accounts": "\(accounts.count)"])
        await withDiscardingTaskGroup { group in
            for account in accounts {
                group.addTask { await account.run() }
            }
        }
        logger.info("stopped")
    }
}
