import Accounts
import Replication

extension ReplicationSettings {
    /// Reads the table `[shared]`.
    init?(_ table: inout TableReader) {
        let text = table.requiredString("address", expected: "\"postgres://HOST/DATABASE\"")
        let connections = table.integer(
            "connections", in: Self.connectionRange, default: Self.usualConnections)
        table.reportUnknownKeys()
        guard let text else { return nil }
        do {
            self.init(address: try SharedAddress(text), connections: connections)
        } catch {
            table.report("address", expected: error.description, found: "another text")
            return nil
        }
    }
}
