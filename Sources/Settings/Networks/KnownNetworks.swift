/// All networks that a listener supports, in the order of their names.
package enum KnownNetworks {
    package static let all: [any NetworkSettings.Type] = [
        IRCSettings.self,
        MatrixSettings.self,
        SLPSettings.self,
        StreamChatSettings.self,
        XMPPSettings.self,
    ]

    package static let names = all.map { $0.network }

    package static func named(_ name: String) -> (any NetworkSettings.Type)? {
        all.first { $0.network == name }
    }

    /// Returns a configuration to begin with; nil for an unknown network.
    package static func template(network: String) -> String? {
        named(network)?.template
    }

    /// Returns the further services of a network; none for an unknown one.
    package static func capabilities(network: String) -> NetworkCapabilities {
        named(network)?.capabilities ?? []
    }
}
