import Archive
import ChatModel

/// What another configuration asks of the listener that goes by one.
struct ConfigurationChange: Sendable {
    struct Changed: Sendable {
        /// As it is to be.
        var account: AccountConfiguration
        var keys: ChangedKeys
    }

    var added: [AccountConfiguration]
    var removed: [AccountIdentity]
    /// Those that are equal are not among them.
    var changed: [Changed]
    /// Outside the tables of accounts; the fixed ones hold from the next start on.
    var keys = ChangedKeys()

    init(from old: Configuration, to new: Configuration) {
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
        if old.dataFolder != new.dataFolder { keys.fixed.append("data") }
        if old.openConnections != new.openConnections { keys.fixed.append("open_connections") }
    }
}
