package import ChatModel
package import Logging
package import Settings

/// The part of a network's settings that needs the libraries for networks: the check of certificates, and the listener
/// and clients that are created from the settings. Every network of `KnownNetworks` has it.
package protocol ListenedSettings: NetworkSettings {
    /// Checks what only TLS knows. Reports every problem to `table`, from which the settings were read.
    func check(_ table: inout TableReader)
    /// Valid certificates that are probably mistakes, for people.
    var certificateWarnings: [String] { get }

    /// - Precondition: The settings were read and checked without problems.
    func makeListener(_ account: ListenedAccount) -> any Listener
    /// Returns the configuration for a running listener after a change of live keys; nil if it has none.
    func listenerConfiguration(folder: String) -> (any ListenerConfiguration)?
    /// Asks the network for its own counts of unread messages, without a listener.
    func unread(_ questions: [UnreadQuestion], folder: String, logger: Logger) async throws -> [UnreadAnswer]
    /// Connects, logs in, and asks what it can without joining a room, sending a message or storing anything.
    ///
    /// - Precondition: The settings were read and checked without problems.
    /// - Returns: The findings in order; nil for a network that can't.
    func tryConnecting() async -> [ConnectionFinding]?
    /// Runs `body` with a client that fetches files, without a listener; only with ``NetworkCapabilities/files``.
    func withFileClient(
        folder: String, logger: Logger, _ body: (any FileClient) async throws -> Void
    ) async throws
}

extension ListenedSettings {
    package func check(_ table: inout TableReader) {}

    package var certificateWarnings: [String] { [] }

    package func listenerConfiguration(folder: String) -> (any ListenerConfiguration)? { nil }

    package func unread(
        _ questions: [UnreadQuestion], folder: String, logger: Logger
    ) throws -> [UnreadAnswer] { [] }

    package func tryConnecting() -> [ConnectionFinding]? { nil }

    package func withFileClient(
        folder: String, logger: Logger, _ body: (any FileClient) async throws -> Void
    ) async throws {}
}

extension NetworkSettings {
    /// The same settings with their listener.
    package var listened: any ListenedSettings {
        guard let listened = self as? any ListenedSettings else {
            preconditionFailure("the network \(Self.network) has no listener")
        }
        return listened
    }
}

extension TableReader {
    /// Checks the authorities of `ca_file`, and reports them if they are not certificates.
    package mutating func checkAuthorities(_ pem: [UInt8]?) {
        _ = checkPEM(.authorities, pem) { TrustedAuthorities(pem: $0) }
    }
}

extension Configuration {
    /// Checks a configuration file with its certificates, for a program that uses them.
    ///
    /// - Parameter home: The home folder, for paths that begin with `~/`.
    /// - Throws: ``ConfigurationError`` with all problems.
    package init(checked file: ConfigurationFile, home: String) throws(ConfigurationError) {
        try self.init(file, home: home) { $0.listened.check(&$1) }
    }

    /// Valid settings that are probably mistakes, with those of certificates, for people.
    package var allWarnings: [String] {
        warnings(of: { $0.allWarnings })
    }
}

extension FolderSearch {
    /// Returns the configuration after a check of its certificates; nil without a configuration file.
    package func checkedConfiguration() throws -> Configuration? {
        try configurationFile().map { try Configuration(checked: try ConfigurationFile.read($0), home: home) }
    }
}

extension NetworkSettings {
    /// Valid settings that are probably mistakes, with those of certificates, for people.
    package var allWarnings: [String] { warnings + listened.certificateWarnings }
}

/// The objects that an account's listener uses, besides its settings.
package struct ListenedAccount {
    /// The account's folder, for files that its listener keeps between runs.
    package let folder: String
    /// The store of files.
    package let attachments: any AttachmentStore
    /// The count of received bytes; nil to count none.
    package let traffic: Traffic?
    package let tools: ListenerTools

    package init(folder: String, attachments: any AttachmentStore, traffic: Traffic?, tools: ListenerTools) {
        (self.folder, self.attachments, self.traffic, self.tools) = (folder, attachments, traffic, tools)
    }
}
