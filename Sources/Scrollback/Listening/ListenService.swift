import Logging
import ServiceLifecycle

/// All accounts of the running listener, side by side: one that fails or is slow to leave does not hold the others.
struct ListenService: Service {
    let accounts: [AccountService]
    let folder: String
    let logger: Logger

    /// - Throws: ``CommandError`` when something was received that could not be stored.
    func run() async throws {
        logger.info("listening", metadata: ["folder": "\(folder)", "accounts": "\(accounts.count)"])
        let isAllStored = await withTaskGroup(of: Bool.self) { group in
            for account in accounts {
                group.addTask { await account.run() }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        logger.info("stopped")
        guard isAllStored else {
            throw CommandError(
                "what was received last is not stored, for the reason above",
                hint: "mend that; \"scrollback gaps\" lists the time as missing")
        }
    }
}
