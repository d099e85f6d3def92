import HTTPTypes
import Settings
import Testing

@testable import Serving

struct ProxyRuleTests {
    private let local = ProxyRule(ServeSettings(proxies: ["127.0.0.1", "::1"]))
    private let socket = ProxyRule(ServeSettings(address: .unix(path: "/run/http")))
    private let headers: HTTPFields = [.xForwardedProto: "https", .xForwardedFor: "198.51.100.7, 203.0.113.9"]

    @Test func `a named proxy and every peer of a socket's path can declare TLS`() {
        #expect(local.usesTLS(headers, from: "127.0.0.1") && local.usesTLS(headers, from: "::1"))
        #expect(socket.usesTLS(headers, from: nil))
        #expect(!local.usesTLS(headers, from: "192.0.2.1") && !local.usesTLS(headers, from: nil))
        #expect(!socket.usesTLS([.xForwardedProto: "http"], from: nil) && !socket.usesTLS([:], from: nil))
    }

    @Test func `the browser's address is the one from the proxy, not from the browser`() {
        #expect(local.client(headers, from: "127.0.0.1") == "203.0.113.9")
        #expect(socket.client(headers, from: nil) == "203.0.113.9")
        #expect(local.client(headers, from: "192.0.2.1") == "192.0.2.1")
        #expect(local.client([.xForwardedFor: "2001:db8::1, ::1"], from: "::1") == "2001:db8::1")
        #expect(local.client([:], from: "127.0.0.1") == "127.0.0.1" && socket.client([:], from: nil) == nil)
    }

    @Test(arguments: ["", "x", "203.0.113.9:80", "key=secret", "a,", "203.0.113.9\u{1B}[2J"])
    func `a text that is not an address is not logged`(text: String) {
        #expect(local.client([.xForwardedFor: text], from: "127.0.0.1") == "127.0.0.1")
    }
}
