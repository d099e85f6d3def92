import SLPWire
import Testing

struct SLPRouteTests {
    private let channel = SLPRoomAddress.channel(workspace: "1", id: "c7", name: "a/b ?#%가+")
    private let direct = SLPRoomAddress.direct(workspace: "1", id: "d8", partner: "u9")

    @Test func `generation 1 uses names and partners in paths`() throws {
        let name = "a%2Fb%20%3F%23%25%EA%B0%80%2B"
        #expect(
            SLPRoute.history(of: channel, after: nil, .one).target
                == "/workspaces/1/channels/\(name)/chats?cursor_date=")
        #expect(try #require(SLPRoute.members(of: channel, .one)).target == "/workspaces/1/channels/\(name)/members")
        #expect(SLPRoute.history(of: direct, after: nil, .one).target == "/workspaces/1/dms/u9/chats?cursor_date=")
        #expect(SLPRoute.profile(.one).target == "/users/my")
        #expect(SLPRoute.myChannels(of: "1", .one).target == "/workspaces/1/channels/my")
    }

    @Test func `generation 2 uses ids in paths`() throws {
        #expect(
            SLPRoute.history(of: channel, after: nil, .two).target == "/workspaces/1/channels/c7/chats?cursor_date=")
        #expect(try #require(SLPRoute.members(of: channel, .two)).target == "/workspaces/1/channels/c7/members")
        #expect(SLPRoute.history(of: direct, after: nil, .two).target == "/workspaces/1/dms/d8/chats?cursor_date=")
        #expect(SLPRoute.profile(.two).target == "/users/me")
        #expect(SLPRoute.myChannels(of: "1", .two).target == "/workspaces/1/my-channels")
    }

    @Test(arguments: SLPGeneration.allCases)
    func `unread messages of a direct room are requested by room`(generation: SLPGeneration) {
        let cursor = "1970-01-01T00%3A00%3A00.001Z"
        #expect(
            SLPRoute.unread(in: direct, after: 1999, generation).target
                == "/workspaces/1/dms/d8/unreads?after=\(cursor)")
        #expect(SLPRoute.members(of: direct, generation) == nil)
    }

    @Test func `a cursor is escaped`() {
        let target = SLPRoute.history(of: direct, after: 1_704_445_331_123_456, .two).target
        #expect(target.hasSuffix("?cursor_date=2024-01-05T09%3A02%3A11.123Z"))
    }

    @Test(arguments: [
        ("/static/a.png", "/static/a.png"), ("static/a b.png", "/static/a%20b.png"),
        ("/static/%EA%B0%80%2F.png", "/static/%EA%B0%80%2F.png"), ("/가?x=1#f", "/%EA%B0%80%3Fx=1%23f"),
        ("@evil.example/x", "/@evil.example/x"), ("//evil.example/x", "//evil.example/x"),
        ("/a\r\nHost: b", "/a%0D%0AHost:%20b"), ("", "/"), ("\u{301}/a", "/%CC%81/a"),
    ])
    func `a file's path is kept unchanged below the base`(path: String, target: String) {
        #expect(SLPRoute.file(path).target == target)
    }

    @Test(
        arguments: [
            ("E01", .stopAccount), ("E02", .refresh), ("E03", .stopAccount), ("E04", .keepToken), ("E05", .refresh),
            ("E06", .logIn), ("E11", .record), ("E12", .record), ("E13", .markGone), ("E14", .noPermission),
            ("E15", .record), ("E97", .record), ("E98", .slowDown), ("E99", .retry), ("E42", .record),
        ] as [(String, SLPRefusal.Reaction)])
    func `each error code has its reaction`(code: String, reaction: SLPRefusal.Reaction) {
        let status = code == "E99" ? 500 : 400
        let refusal = SLPRefusal(status: status, body: Array(#"{"errorCode":"\#(code)","more":1}"#))
        #expect(refusal.code == code && refusal.reaction == reaction)
        #expect(refusal.description.hasPrefix(code))
    }

    @Test(
        arguments: [
            (500, .retry), (503, .retry), (408, .retry), (429, .slowDown), (404, .record), (302, .record), (0, .record),
        ] as [(Int, SLPRefusal.Reaction)])
    func `without a code, the status decides, and the body is not shown`(
        status: Int, reaction: SLPRefusal.Reaction
    ) {
        for body in ["", "<html>", "{}", #"{"errorCode":5}"#, #"{"errorCode":"E1\u001b"}"#, #"{"errorCode":"Eéa"}"#] {
            let refusal = SLPRefusal(status: status, body: Array(body))
            #expect(refusal.code == nil && refusal.reaction == reaction && refusal.description == "status \(status)")
        }
    }
}
