package import ChatModel
import Rendering

/// One `[[account]]` table.
package struct AccountConfiguration: Sendable, Equatable {
    package var identity: AccountIdentity
    /// The rules for what is kept: the account's own, then those for all accounts.
    package var retention = RetentionSettings()
    /// The names and ids of the account's own person, besides those that the network knows.
    package var me: [String] = []
    /// The largest size of the account's file and of the files that came with messages, in bytes; nil for any.
    package var largestSize: Int64?
    /// The names of bots, which readers may hide.
    package var bots: [String] = []
    package var network: any NetworkSettings

    /// The largest file to fetch, in bytes; nil on a network without files.
    package var fileSizeLimit: Int64? { network.fileSizeLimit }

    /// Reads an account. Nil if it has a problem, which is left in `table`.
    ///
    /// - Parameters:
    ///   - names: The names of the accounts before it; its own is added.
    ///   - check: Checks the settings further, and reports problems to `table`.
    init?(_ table: inout TableReader, names: inout Set<String>, check: Configuration.NetworkCheck = { _, _ in }) {
        let name = table.requiredString("name", expected: "a name of your choice")
        if let name, name.isEmpty {
            table.report("name", expected: "a name of your choice", found: "nothing")
        } else if let name, !names.insert(name).inserted {
            table.report("name", expected: "a unique name", found: "\"\(name)\" again")
        }
        let all = KnownNetworks.names.map { "\"\($0)\"" }.joined(separator: ", ")
        retention = RetentionSettings(ofAccount: &table)
        largestSize = table.byteCount("max_size")
        me = table.strings("me")
        if me.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
            table.report("me", expected: "names and ids such as [\"alice\"]", found: "an empty one")
        }
        bots = table.strings("bots")
        guard let network = table.requiredString("network", expected: "one of \(all)") else { return nil }
        guard let settings = KnownNetworks.named(network) else {
            let nearest = Nearest.to(network, among: KnownNetworks.names).map { " (did you mean \"\($0)\"?)" } ?? ""
            table.report("network", expected: "one of \(all)", found: "\"\(network)\"\(nearest)")
            return nil
        }
        self.network = settings.init(&table)
        check(self.network, &table)
        table.reportUnknownKeys()
        guard let name, table.problems.isEmpty else { return nil }
        identity = AccountIdentity(name: name, network: network)
    }
    package static func == (a: Self, b: Self) -> Bool {
        a.identity == b.identity && a.retention == b.retention && a.largestSize == b.largestSize && a.me == b.me
            && a.bots == b.bots && a.network.isSame(as: b.network)
    }
}
