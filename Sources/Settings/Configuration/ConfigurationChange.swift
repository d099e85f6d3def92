package import ChatModel
import Moves

/// The differences between the present configuration and a new one.
package struct ConfigurationChange: Sendable {
    package struct Changed: Sendable {
        /// The account's new configuration.
        package var account: AccountConfiguration
        package var keys: ChangedKeys
    }

    package var added: [AccountConfiguration]
    package var removed: [AccountIdentity]
    /// The accounts whose configuration differs.
    package var changed: [Changed]
    /// The changed keys outside of accounts; fixed ones apply at the next start.
    package var keys = ChangedKeys()

    package init(from old: Configuration, to new: Configuration) {
        let before = Dictionary(old.accounts.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
        let after = Set(new.accounts.map(\.identity))
        added = new.accounts.filter { before[$0.identity] == nil }
        removed = old.accounts.map(\.identity).filter { !after.contains($0) }
        changed = new.accounts.compactMap { account in
            guard let keys = before[account.identity]?.changedKeys(to: account), !keys.isEmpty else { return nil }
            return Changed(account: account, keys: keys)
        }
        if old.hot.accounts != new.hot.accounts { keys.live.append("hot_accounts") }
        if old.hot.bytes != new.hot.bytes { keys.live.append("hot_bytes") }
        if old.hot.level != new.hot.level { keys.live.append("cold_level") }
        if old.hot.recipients != new.hot.recipients { keys.live.append("cold_recipients") }
        if old.keepFree != new.keepFree { keys.live.append("keep_free") }
        if old.bots != new.bots { keys.live.append("bots") }
        if old.dataFolder != new.dataFolder { keys.fixed.append("data") }
        if old.serve != new.serve { keys.fixed.append("serve") }
        if old.excluded != new.excluded { keys.fixed.append("mcp") }
        if old.shared != new.shared { keys.fixed.append("shared") }
        if old.openConnections != new.openConnections { keys.fixed.append("open_connections") }
    }
}
