import Testing

@testable import Serving

struct LocalAddressTests {
    @Test(arguments: [
        "/", "/room/demo/1", "/room/%EA%B0%80%EC%A1%B1/1?unread=1#end", "/search?q=a%20b", "/search?q=%5C", "/assets/",
        "/room/demo/1?back=//x", "/a%20b/1", "/#end",
    ]) func `a path on this server is accepted`(address: String) {
        #expect(LocalAddress(address)?.text == address)
    }

    @Test(arguments: [
        "", "room", "//evil.example", "/\\evil.example", "\\\\evil.example", "/%5cevil.example", "/%5Cevil.example/x",
        "/a/%5c%5cevil.example", "/\t/evil.example", "/\n/evil.example", "/a\r\nX-Injected: 1", "/%09/evil.example",
        "/%0d%0aX-Injected:%201", "/%00", "/%7f", "/./", "/.//evil.example", "/a/../b", "/%2e/", "/%2E%2e/x", "/a//b",
        "/%2fevil.example", "/가족", "/ x", "/\u{7F}", "/\u{85}x", "http://evil.example", "javascript:alert(1)", "/%zz",
        "/%ff", "/x?\\y", "?x", "#x",
    ]) func `a text that can lead elsewhere is refused`(address: String) {
        #expect(LocalAddress(address) == nil)
    }
}
