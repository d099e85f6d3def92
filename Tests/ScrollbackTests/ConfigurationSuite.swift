import Archive
import ChatModel
import Foundation
import Moves
import Sessions
import StreamChatWire
import TestSupport
import Testing

@testable import Rendering
@testable import Settings

/// A suite that reads configurations.
protocol ConfigurationSuite {}

extension ConfigurationSuite {
    var account: String {
        """
        [[account]]
        name = "classroom"
        network = "streamchat"
        server = "tcp://127.0.0.1:5080"
        nick = "archiver"

        """
    }

    func read(_ text: String, path: String = "etc/scrollback.toml") throws -> Configuration {
        try Configuration(ConfigurationFile.parse(text, path: path), home: "/home/alice")
    }

    func problems(_ text: String) throws -> [String] {
        let error = try #require(throws: ConfigurationError.self) { try read(text) }
        return error.lines.split(separator: "\n").map { String($0.dropFirst("etc/scrollback.toml".count)) }
    }

    var workspace: String {
        """
        [[account]]
        name = "work"
        network = "slp"
        server = "https://chat.example.net"
        email = "alice@example.net"
        app_key_env = "PATH"

        """
    }
}
