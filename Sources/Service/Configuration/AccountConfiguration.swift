package import ChatModel
import Rendering

/// One `[[account]]`.
package struct AccountConfiguration: Sendable, Hashable {
    package enum Network: Sendable, Hashable {
        case irc(IRCSettings)
        case streamChat(StreamChatSettings)
        case slp(SLPSettings)
    }

    package var identity: AccountIdentity
    /// How long what the network sent is kept beside the messages it became; nil for ever.
    var rawKeep: Duration?
    package var network: Network

    /// Nil when something is wrong with it; `table` then has the problems.
    ///
    /// - Parameter names: those of the accounts before it, to which its own is added.
    init?(_ table: inout TableReader, names: inout Set<String>) {
        let name = table.requiredString("name", expected: "a name of your choice")
        if let name, name.isEmpty {
            table.report("name", expected: "a name of your choice", found: "nothing")
        } else if let name, !names.insert(name).inserted {
            table.report("name", expected: "a name of its own", found: "\"\(name)\" again")
        }
        let all = Configuration.networks.map { "\"\($0)\"" }.joined(separator: ", ")
        rawKeep = table.duration("raw_keep", atLeast: .seconds(3600))
        guard let network = table.requiredString("network", expected: "one of \(all)") else { return nil }
        switch network {
        case "irc": self.network = .irc(IRCSettings(&table))
        case "slp": self.network = .slp(SLPSettings(&table))
        case "streamchat": self.network = .streamChat(StreamChatSettings(&table))
        default:
            let nearest = Nearest.to(network, among: Configuration.networks).map { " (did you mean \"\($0)\"?)" } ?? ""
            table.report("network", expected: "one of \(all)", found: "\"\(network)\"\(nearest)")
            return nil
        }
        table.reportUnknownKeys()
        guard let name, table.problems.isEmpty else { return nil }
        identity = AccountIdentity(name: name, network: network)
    }
}
