package import Accounts
package import ChatModel
package import Files
package import Logging
package import Settings

/// All that an HTTP server needs to start.
package struct ServerStart: Sendable {
    package var settings: ServeSettings
    /// The data folder. With a shared archive it has only the server's keys and tokens.
    package var folder: String
    /// The shared archive to serve in place of the data folder's accounts; nil for those.
    package var shared: SharedAddress?
    /// The limit of account files that are open at once.
    package var openConnections: Int
    /// The descriptors that readers leave to the rest of the process.
    package var reserve: DescriptorReserve
    /// Finds the accounts of the configuration.
    package var search: FolderSearch
    /// The rooms that assistants do not see.
    package var excluded: [RoomPattern]
    package var logger: Logger
    /// Receives the address for the owner's browser, with the secret, when the server answers.
    package var onReady: @Sendable (_ address: String) -> Void
    /// True to take a free port where the one of the settings is in use.
    package var takesFreePort: Bool
    /// True to try again where an address can't be bound, because a listener goes on without its server.
    package var triesAgain: Bool

    /// The descriptors of a server without a listener that are for anything but readers: one for each of Dispatch's 64
    /// threads, which ends the process without one (``DescriptorNeeds``), and some for the files of tokens.
    package static let ownDescriptors = 80

    package init(
        settings: ServeSettings, folder: String, shared: SharedAddress? = nil, openConnections: Int,
        reserve: DescriptorReserve = DescriptorReserve(Self.ownDescriptors), search: FolderSearch,
        excluded: [RoomPattern] = [],
        logger: Logger, takesFreePort: Bool = false, triesAgain: Bool = false,
        onReady: @escaping @Sendable (_ address: String) -> Void
    ) {
        (self.settings, self.folder, self.shared, self.openConnections) = (settings, folder, shared, openConnections)
        (self.reserve, self.search, self.excluded, self.logger) = (reserve, search, excluded, logger)
        (self.takesFreePort, self.triesAgain, self.onReady) = (takesFreePort, triesAgain, onReady)
    }
}
