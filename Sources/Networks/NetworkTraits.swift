package import ChatModel

/// The rules of a network that decide how its messages are stored and shown. Each network's folder gives its own.
package struct NetworkTraits: Sendable, Hashable {
    /// The value of `network` in the configuration, which is stored with each account.
    package let network: String
    /// The rule by which names of rooms and people are equal.
    package var folding = NameFolding.rfc1459
    /// True if a person's key never changes, and everybody can take any name, so that only keys identify people.
    package var hasPermanentKeys = false
    /// True if a person's key is an id that people see, and several people can have one name.
    package var hasPersonIDs = false
    /// True if a key is a name in lower case, by rules that a server may change.
    package var hasNamesAsKeys = false
    /// True if a server may give a message's id to another message.
    package var mayRepeatIDs = false
    /// True if notices are those of bots.
    package var noticesAreOfBots = false
    /// True if the archive knows messages by the server's ids, and clients know them by the senders' as well.
    package var hasServerIDs = false
    /// True if the logs of IRC clients are logs of this network.
    package var hasClientLogs = false
    /// True if a connected server proves every few minutes that it is there.
    package var provesLife = true

    /// Creates the defaults, and changes them.
    init(_ network: String, _ change: (inout NetworkTraits) -> Void = { _ in }) {
        self.network = network
        change(&self)
    }

    /// Returns the traits of a network; the defaults for an unknown one.
    package static func of(_ network: String) -> NetworkTraits {
        all.first { $0.network == network } ?? NetworkTraits(network)
    }

    /// The traits of all networks.
    static let all = [
        irc,
        matrix,
        slp,
        streamChat,
        xmpp,
    ]

}
