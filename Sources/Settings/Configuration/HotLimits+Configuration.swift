import Archive
import Files
import Moves

extension HotLimits {
    /// Reads `hot_accounts`, `hot_bytes`, `cold_level` and `cold_recipients`.
    package init(_ table: inout TableReader) {
        let accounts = table.integer("hot_accounts", in: 1...1_000_000, default: .max)
        self.init(
            accounts: accounts == .max ? nil : accounts, bytes: table.byteCount("hot_bytes"),
            level: table.integer("cold_level", in: Archive.coldLevels, default: Archive.coldLevel))
        do throws(ArchiveError) {
            recipients = try AgeRecipients(table.strings("cold_recipients"))
        } catch {
            table.report("cold_recipients", expected: "public keys such as \"age1…\"", found: error.detail)
        }
    }
}
