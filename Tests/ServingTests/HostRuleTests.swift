import Testing

@testable import Serving

struct HostRuleTests {
    private static func rule(_ names: [String] = [], port: Int? = 8042) -> HostRule {
        let bound = BoundPort()
        bound.set(port)
        return HostRule(names: names, port: bound)
    }

    @Test(arguments: ["localhost:8042", "LocalHost:8042", "127.0.0.1:8042", "127.9.9.9:8042", "[::1]:8042"])
    func `this machine's own names with the server's port are accepted`(authority: String) {
        #expect(Self.rule().allows(authority))
    }

    @Test(arguments: [
        "localhost", "localhost:80", "127.0.0.1", "evil.example", "evil.example:8042", "127.0.0.1.evil.example:8042",
        "0.0.0.0:8042", "192.168.0.1:8042", "[::]:8042", "[fe80::1]:8042", "user@localhost:8042", "localhost:8042/",
        "localhost.:8042", "", ":8042", "2130706433:8042", "0x7f.1:8042", "[::1%25lo]:8042", "localhost:99999999999",
    ]) func `other names are refused`(authority: String) {
        #expect(!Self.rule().allows(authority))
    }

    @Test func `a request without a name is refused`() {
        #expect(!Self.rule().allows(nil))
    }

    @Test func `a configured name is accepted with any proxy's port`() {
        let rule = Self.rule(["Chat.example.net"])
        #expect(rule.allows("chat.example.net") && rule.allows("CHAT.example.net:443"))
        #expect(!rule.allows("x.chat.example.net"))
    }

    @Test(arguments: [
        "localhost", "localhost:8042", "127.0.0.1:9", "[::1]:443", "chat.example.net", "Chat.example.net:443",
    ])
    func `behind a socket's path, local and configured names are accepted with any port`(
        authority: String
    ) {
        #expect(Self.rule(["chat.example.net"], port: nil).allows(authority))
    }

    @Test(arguments: [
        "evil.example", "evil.example:8042", "127.0.0.1.evil.example", "192.168.0.1", "", "user@localhost",
    ])
    func `behind a socket's path, other names are refused`(authority: String) {
        #expect(!Self.rule(["chat.example.net"], port: nil).allows(authority))
        #expect(!Self.rule(port: nil).allows(nil))
    }
}
