import SLPWire
import Testing

struct SLPFilePathTests {
    private func read(_ path: String) -> String? {
        SLPFilePath(path, base: "https://chat.example.net/v1")?.path
    }

    @Test(arguments: [
        ("/static/a.png", "/static/a.png"), ("static/a.png", "/static/a.png"),
        ("/static/a/b c.png", "/static/a/b c.png"),
        ("/static/%EC%82%AC%EC%A7%84.png", "/static/%EC%82%AC%EC%A7%84.png"), ("/static/사진.png", "/static/사진.png"),
        ("https://chat.example.net/v1/static/a.png", "/static/a.png"), ("/static/100%.png", "/static/100%.png"),
        ("/static/a..b.png", "/static/a..b.png"), ("/static/...", "/static/..."),
        ("/static/a%2Fb.png", "/static/a%2Fb.png"), ("a.png", "/a.png"), ("/STATIC/a", "/STATIC/a"),
        ("/data/files/a.png", "/data/files/a.png"), ("/users.png", "/users.png"),
    ])
    func `a file is requested by its path as written`(given: String, path: String) {
        #expect(read(given) == path)
    }

    @Test(arguments: [
        "", "/", "/users/me", "users", "/workspaces/1/channels/2/chats", "/auth/refresh",
        "/Workspaces/1/channels/2/chats",
        "/%77orkspaces/1/channels/2/chats", "/%2577orkspaces/1", "/workspaces?x", "/workspaces;x/1", "/workspaces%3Fx",
        "//evil.example/static/a.png", "https://evil.example/v1/static/a.png",
        "http://chat.example.net/v1/static/a.png",
        "https://chat.example.net/v1static/a", "https://chat.example.net/v2/static/a",
        "https://chat.example.net:1/v1/static/a",
        "https://chat.example.net@evil.example/v1/static/a", "ftp://x/static/a", "javascript://static/a",
        "/static/../users/me", "/static/./a", "/static//a", "/static/a/..", "/static/%2e%2e/users/me",
        "/static/%2E./users/me",
        "/static/..%2fusers/me", "/static/%252e%252e%252fusers", "/static/..\\users\\me", "/static/%5c..%5cusers",
        "/static/a\0b", "/static/a%00b",
    ])
    func `a path to another server or to no file is not requested`(given: String) {
        #expect(read(given) == nil)
    }
}
