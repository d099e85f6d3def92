import Testing

@testable import Sessions

struct HostNameTests {
    @Test(arguments: [
        ("irc.example.net", "irc.example.net"), ("IRC.Example.NET", "irc.example.net"),
        ("irc.example.net", "IRC.EXAMPLE.NET"), ("irc.example.net.", "irc.example.net"),
        ("irc.example.net", "irc.example.net."), ("irc.example.net", "*.example.net"),
        ("irc.example.net", "*.EXAMPLE.net"), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "*.example"), ("localhost", "localhost"),
    ])
    func `a certificate's name matches a host by RFC 9525`(host: String, name: String) {
        #expect(HostName(host)?.isNamed(by: Array(name.utf8)) == true)
    }

    @Test(arguments: [
        ("irc.example.net", "example.net"), ("example.net", "irc.example.net"), ("irc.example.net", "irc.example.org"),
        // A wildcard is a whole label, the first, and one label.
        ("example.net", "*.example.net"), ("a.irc.example.net", "*.example.net"), ("irc.example.net", "i*.example.net"),
        ("irc.example.net", "*rc.example.net"), ("irc.example.net", "irc.*.net"), ("irc.example.net", "*.*.net"),
        ("localhost", "*"), ("irc.example.net", "*"), ("irc.example.net", "*."),
        ("xn--bcher-kva.example", "xn--*.example"),
        ("irc.example.net", ""), ("irc.example.net", "."), ("irc.example.net", "irc.example.net\0.evil.example"),
        ("irc.example.net", " irc.example.net"), ("irc.example.net", "irc.example.net.."),
        ("kelvin.net", "\u{212A}elvin.net"),
        (".example.net", "*.example.net"), ("irc.example.net", "irc..example.net"),
    ])
    func `other names do not match`(host: String, name: String) {
        #expect(HostName(host)?.isNamed(by: Array(name.utf8)) == false)
    }

    @Test(arguments: ["127.0.0.1", "::1", "fe80::1", "2001:db8::1"])
    func `an address is not a host name`(host: String) {
        #expect(HostName(host) == nil)
    }

    @Test(arguments: ["127.1", "0x7f.0.0.1", "2130706433", "1.2.3.4.5", "127.0.0.1.", "localhost"])
    func `a name that only looks like an address is a host name`(host: String) {
        #expect(HostName(host) != nil)
    }
}
