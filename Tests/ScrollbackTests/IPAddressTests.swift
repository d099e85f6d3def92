import Testing

@testable import Settings

struct IPAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("0:0:0:0:0:0:0:1", "::1"), ("FE80::1", "fe80::1"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("fe80::1%lo", "fe80::1%lo"),
    ])
    func `an address is shown in its usual form`(text: String, shown: String) {
        #expect(IPAddress(text)?.text == shown)
    }

    @Test(arguments: [
        "", "localhost", "127.1", "127.0.0.1:80", "[::1]", "1.2.3.256", "::1%", "127.0.0.1\u{0}.net", "x%lo",
    ])
    func `another text is not an address`(text: String) {
        #expect(IPAddress(text) == nil)
    }
}
