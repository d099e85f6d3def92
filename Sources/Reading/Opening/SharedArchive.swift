package import Accounts

/// A shared archive. Everything that reads it shares some connections to its server.
package struct SharedArchive: Sendable {
    package let server: SharedServer

    package init(_ address: SharedAddress) { server = SharedServer(address) }

    /// Returns a value that reads the archive. It connects when something is read.
    package func reading() -> ArchiveReading { ArchiveReading(server) }
}
