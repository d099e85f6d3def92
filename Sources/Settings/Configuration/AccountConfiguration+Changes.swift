extension AccountConfiguration {
    /// - Precondition: Both configure the same account.
    func changedKeys(to new: AccountConfiguration) -> ChangedKeys {
        var keys = network.changedKeys(toAny: new.network)
        if retention != new.retention {
            keys.live.append(retention.rawKeep == new.retention.rawKeep ? "retention" : "raw_keep")
        }
        if largestSize != new.largestSize { keys.live.append("max_size") }
        if me != new.me { keys.live.append("me") }
        if bots != new.bots { keys.live.append("bots") }
        return keys
    }
}
