extension AccountConfiguration {
    /// - Precondition: Both configure the same account.
    func changedKeys(to new: AccountConfiguration) -> ChangedKeys {
        var keys = network.changedKeys(toAny: new.network)
        if rawKeep != new.rawKeep { keys.live.append("raw_keep") }
        return keys
    }
}
