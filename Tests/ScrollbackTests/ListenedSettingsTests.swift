import Foundation
import Sessions
import TestSupport
import Testing

@testable import Settings

struct ListenedSettingsTests {
    @Test func `every known network has a listener`() {
        for network in KnownNetworks.all {
            #expect(network is any ListenedSettings.Type, "\(network.network)")
        }
    }

    @Test func `a program without TLS reads certificates but doesn't check their content`() throws {
        let folder = try TemporaryFolder()
        let content = "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n"
        try content.write(toFile: folder.path + "/ca.pem", atomically: false, encoding: .utf8)
        let text = """
            [[account]]
            name = "libera"
            network = "irc"
            server = "ircs://irc.example.net"
            nick = "archiver"
            rooms = ["#example"]
            ca_file = "ca.pem"
            """
        let file = try ConfigurationFile.parse(text, path: folder.path + "/scrollback.toml")
        let settings = try Configuration(file, home: folder.path).accounts.first?.network as? IRCSettings
        #expect(settings?.tls.authorities == Array(content.utf8))
        let error = try #require(throws: ConfigurationError.self) {
            try Configuration(checked: file, home: folder.path)
        }
        #expect(error.mistakes.map(\.line) == [7])
        #expect(error.description.contains(": ca_file: expected certificates in PEM"))
    }

    @Test func `a file that is not PEM is an error in both programs`() throws {
        let folder = try TemporaryFolder()
        try "안녕".write(toFile: folder.path + "/ca.pem", atomically: false, encoding: .utf8)
        let text = """
            [[account]]
            name = "matrix"
            network = "matrix"
            server = "https://matrix.example.org"
            user = "@alice:example.org"
            ca_file = "ca.pem"
            """
        let file = try ConfigurationFile.parse(text, path: folder.path + "/scrollback.toml")
        let plain = try #require(throws: ConfigurationError.self) { try Configuration(file, home: folder.path) }
        let checked = try #require(throws: ConfigurationError.self) {
            try Configuration(checked: file, home: folder.path)
        }
        #expect(plain.description.contains("which is not valid") && plain.description == checked.description)
    }

    @Test(arguments: [KeyBackupSample.recoveryKey, KeyBackupSample.recoveryKey.replacing("pUY1", with: "pUY2")])
    func `a typing error in a recovery key is reported with its key`(recoveryKey: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/recovery"
        try (recoveryKey + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, 0o600)
        let text = """
            [[account]]
            name = "matrix"
            network = "matrix"
            server = "https://matrix.example.org"
            user = "@alice:example.org"
            recovery_key_file = "recovery"
            """
        let file = try ConfigurationFile.parse(text, path: folder.path + "/scrollback.toml")
        guard recoveryKey != KeyBackupSample.recoveryKey else {
            let settings = try Configuration(file, home: folder.path).accounts.first?.network as? MatrixSettings
            #expect(settings?.recoveryKey?.value == recoveryKey)
            return
        }
        let error = try #require(throws: ConfigurationError.self) { try Configuration(file, home: folder.path) }
        #expect(error.mistakes.map(\.line) == [6])
        #expect(error.description.contains("recovery_key_file: expected a recovery key"))
        #expect(error.description.contains("the recovery key has a typing error"))
        #expect(!error.description.contains(recoveryKey))
    }
}
