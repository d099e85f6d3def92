import Archive

extension HotLimits {
    /// Reads `hot_accounts`, `hot_bytes` and `cold_level`.
    package init(_ table: inout TableReader) {
        let accounts = table.integer("hot_accounts", in: 1...1_000_000, default: .max)
        self.init(
            accounts: accounts == .max ? nil : accounts, bytes: table.byteCount("hot_bytes"),
            level: table.integer("cold_level", in: Archive.coldLevels, default: Archive.coldLevel))
    }
}
