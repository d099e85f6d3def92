import ChatModel
import Logging
import Rendering
import ServiceLifecycle
import Sessions
import Settings

/// Applies a changed configuration to the running listener.
struct ConfigurationReload: Sendable {
    /// The configuration in force.
    private(set) var configuration: Configuration
    /// Reads the configuration file.
    let read: @Sendable () throws -> Configuration
    let opening: ListenerOpening
    let accounts: OpenAccounts
    let registry: StatusRegistry
    let evictions: EvictionService
    let logger: Logger

    /// Reads and applies the configuration. Logs an invalid one and changes nothing.
    ///
    /// - Parameter start: Runs an opened account.
    mutating func perform(start: (AccountService) -> Void) async {
        let new: Configuration
        do {
            new = try read()
        } catch {
            registry.note(configurationTrouble: "the new configuration is invalid; the previous one stays in force")
            for line in (FailureText.sentence(for: error) ?? "\(error)").split(separator: "\n") {
                logger.error("configuration not reloaded", metadata: ["reason": "\(line)"])
            }
            return
        }
        registry.note(configurationTrouble: nil)
        await apply(new, start: start)
    }

    private mutating func apply(_ new: Configuration, start: (AccountService) -> Void) async {
        let change = ConfigurationChange(from: configuration, to: new)
        log(change)
        var leaving = change.removed.compactMap { accounts[$0.name] }
        for changed in change.changed {
            guard let service = accounts[changed.account.identity.name] else { continue }
            if changed.keys.fixed.isEmpty { service.apply(changed.account) } else { leaving.append(service) }
        }
        evictions.limits.change(to: new.hot)
        new.limit(opening.archive)
        // Stops all at once, because one may be slow to leave.
        for service in leaving { service.stop() }
        for service in leaving {
            await service.end()
            accounts.remove(service.account.name)
        }
        registry.arrange(new.accounts.map(\.identity))
        // Includes the accounts that could not be opened the last time.
        for account in new.accounts where accounts[account.identity.name] == nil && !Task.isShuttingDownGracefully {
            guard let service = await opening.open(account, registry: registry) else { continue }
            accounts.add(service)
            start(service)
        }
        logger.info("configuration reloaded", metadata: ["accounts": "\(new.accounts.count)"])
        // The settings that need a restart of the listener keep their values.
        let (dataFolder, openConnections) = (configuration.dataFolder, configuration.openConnections)
        configuration = new
        (configuration.dataFolder, configuration.openConnections) = (dataFolder, openConnections)
    }

    /// Logs one line for each account, and one for the rest.
    private func log(_ change: ConfigurationChange) {
        for account in change.removed { logger.info("account removed", metadata: ["account": "\(account.name)"]) }
        for account in change.added {
            logger.info("account added", metadata: ["account": "\(account.identity.name)"])
        }
        for changed in change.changed {
            let name = changed.account.identity.name
            logger.info(
                changed.keys.fixed.isEmpty ? "account changed" : "account changed; reconnecting",
                metadata: ["account": "\(name)", "keys": "\(changed.keys.text)"])
        }
        if !change.keys.live.isEmpty {
            logger.info("limits changed", metadata: ["keys": "\(change.keys.live.joined(separator: ", "))"])
        }
        if !change.keys.fixed.isEmpty {
            logger.warning(
                "changed; takes effect when the listener restarts",
                metadata: ["keys": "\(change.keys.fixed.joined(separator: ", "))"])
        }
    }
}
