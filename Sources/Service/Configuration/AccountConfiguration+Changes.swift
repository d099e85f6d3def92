extension AccountConfiguration {
    /// - Precondition: Both configure the same account.
    func changedKeys(to new: AccountConfiguration) -> ChangedKeys {
        var keys = network.changedKeys(toAny: new.network)
        if retention != new.retention { keys.live.append("retention") }
        return keys
    }
}
