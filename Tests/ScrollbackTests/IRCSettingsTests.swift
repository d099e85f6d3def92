import Listeners
import Testing

@testable import Scrollback

struct IRCSettingsTests {
    private func read(_ keys: String) throws -> Configuration {
        let account = """
            [[account]]
            name = "libera"
            network = "irc"
            server = "ircs://irc.example.net"
            nick = "archiver"
            rooms = ["#example"]

            """
        return try Configuration(ConfigurationFile.parse(account + keys, path: "scrollback.toml"), home: "/home/alice")
    }

    @Test(arguments: [("", false), ("redacted = \"keep\"", false), ("redacted = \"wipe\"", true)])
    func `what is retracted is kept, unless it is told to be wiped`(keys: String, wipes: Bool) throws {
        guard case .irc(let settings)? = try read(keys).accounts.first?.network else {
            Issue.record("no account of IRC")
            return
        }
        #expect(IRCConfiguration(settings).wipesRedacted == wipes)
    }

    @Test func `another policy is none`() throws {
        let error = try #require(throws: ConfigurationError.self) { try read("redacted = \"delete\"") }
        #expect(error.description.contains("account[1].redacted: expected one of \"keep\", \"wipe\""))
    }
}
