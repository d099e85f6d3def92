import Archive
import Glibc
import Rendering
package import Settings

/// The largest number of descriptors that a listener needs: files, sockets, and the descriptors of the event loops.
///
/// Without a descriptor, an account can't connect or store, and Dispatch ends the process (Swift 6.3 traps if it can't
/// create an event descriptor). So the listener does not start if the limit is too low.
package struct DescriptorNeeds: Sendable, Hashable {
    package let accounts: Int
    /// The number of descriptors, with the least of a server.
    package let count: Int
    /// The descriptors of the listener itself, which the readers of its server never take.
    package let reserved: Int

    /// The process without accounts: 20 *(measured)*; one for each of Dispatch's 64 threads, which move and copy files;
    /// the connections of the control socket and of the metrics; some spare ones.
    private static let ownCount = 20 + 64 + ControlServer.maximumConnections + MetricsLimits().connections + 12
    /// The least of an HTTP server: some connections, and some files for their readers. It uses more where it can.
    private static let serverCount = 128
    /// The locks of the account's folder and of its writer.
    private static let lockCount = 2

    package init(_ configuration: Configuration) {
        accounts = configuration.accounts.count
        // Each account has a connection that reads and one that writes.
        let connections = min(configuration.openConnections, 2 * accounts)
        reserved = configuration.accounts.reduce(Self.ownCount + connections * Archive.descriptorsPerFile) {
            $0 + Self.lockCount + type(of: $1.network).socketCount
        }
        count = reserved + (configuration.serve == nil ? 0 : Self.serverCount)
    }

    /// Raises the process's limit as far as the system allows.
    ///
    /// - Throws: ``ServiceError`` if that is too low.
    package func ensure() throws(ServiceError) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
        else {
            return try require(limit.rlim_cur)
        }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        try require(limit.rlim_cur)
    }

    private func require(_ available: rlim_t) throws(ServiceError) {
        guard available < rlim_t(count) else { return }
        throw ServiceError(
            .openFiles,
            "\(accounts) accounts need up to \(count.grouped) open files and sockets, but this process may have only "
                + Int(clamping: available).grouped,
            hint: "raise the limit (ulimit -Hn, LimitNOFILE= in the service), or lower open_connections")
    }
}
