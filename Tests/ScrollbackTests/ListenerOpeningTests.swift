import Archive
import ChatModel
import Checks
import Foundation
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import Service
@testable import Settings

/// A stop that comes while accounts are opened, which of some hundred takes seconds.
struct ListenerOpeningTests {
    private static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func configuration(accounts: Int) throws -> Configuration {
        let account = "[[account]]\nnetwork = \"streamchat\"\nserver = \"tcp://127.0.0.1:1\"\nnick = \"archiver\"\n"
        let text = (1...accounts).map { account + "name = \"a\($0)\"\n" }.joined()
        return try Configuration(
            try ConfigurationFile.parse(text, path: "/home/alice/scrollback.toml"), home: "/home/alice")
    }

    @Test(arguments: [0, 2])
    func `a stop while opening accounts opens no more and closes the open ones`(
        open count: Int
    ) async throws {
        let parent = try TemporaryFolder()
        let folder = parent.path + "/data"
        try DataFolderAccess.create(folder)
        let configuration = try configuration(accounts: 5)
        let archive = Archive(folder: folder, logger: Self.silent)
        var asked = 0
        let group = try await ListenerOpening(archive: archive, acknowledgements: nil, logger: Self.silent)
            .open(configuration, registry: StatusRegistry(accounts: configuration.accounts.map(\.identity))) {
                asked += 1
                return asked > count
            }
        await group.triggerGracefulShutdown()
        try await group.run()
        let check = try archive.check()
        #expect(check.map(\.state) == Array(repeating: .fine, count: count), "\(check)")
    }
}
