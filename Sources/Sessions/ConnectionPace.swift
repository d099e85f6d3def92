import Synchronization

/// Spreads the connections to each server over time, among all accounts that have it.
///
/// Servers count connections of one address. ZNC 1.8 refuses an eleventh while ten have not logged in (`AnonIPLimit`),
/// UnrealIRCd 6 a fourth within a minute, and InspIRCd 3 bans an address after ten at once (`connectban`).
package final class ConnectionPace: Sendable {
    private struct Server {
        /// The time from which the next connection may begin, by the clock that is never set.
        var free: Duration
        /// The accounts that have connected to the server.
        var accounts: Set<ObjectIdentifier> = []
        var spacing = ConnectionPace.spacing
    }

    private let servers = Mutex<[String: Server]>([:])

    /// The mean time between two connections to a server.
    static let spacing = Duration.seconds(3)
    /// The limit up to which the mean time doubles with each refusal.
    static let longest = Duration.seconds(60)

    package init() {}

    /// Takes the next turn for a connection.
    ///
    /// - Parameters:
    ///   - server: The server's name or address.
    ///   - account: Identifies the account.
    ///   - now: The time of the clock that is never set.
    /// - Returns: The time to wait: none for the only account of a server. Others connect one after the other, after the
    ///   mean time, or up to a third sooner or later.
    func take(
        _ server: String, by account: ObjectIdentifier, now: Duration, using random: inout some RandomNumberGenerator
    ) -> Duration {
        servers.withLock { servers in
            var found = servers[server] ?? Server(free: now)
            found.accounts.insert(account)
            let turn = found.accounts.count == 1 ? now : max(now, found.free)
            let part = found.spacing.microseconds / 3
            found.free = turn + found.spacing + .microseconds(Int64.random(in: -part...part, using: &random))
            servers[server] = found
            return turn - now
        }
    }

    /// Doubles the time between connections, because the server refused one for its frequency.
    func slow(_ server: String) {
        servers.withLock { servers in
            guard let spacing = servers[server]?.spacing else { return }
            servers[server]?.spacing = min(Self.longest, spacing * 2)
        }
    }
}
