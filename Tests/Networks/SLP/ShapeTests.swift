import Testing

@testable import SLPWire

/// What either generation's answers say.
struct ShapeTests {
    private static let user =
        #"{"user_id":7,"email":"bob@example.net","nickname":"bob","profileImage":"/p.png","new":{}}"#

    private func read<Value: Sendable & Hashable & Decodable>(_ json: String, as: Value.Type = Value.self) -> Value? {
        DecodedElement<Value>(Array(json)).value
    }

    @Test func `a message of generation 1 has numeric ids, kept as text`() throws {
        let json = """
            {"channel_id":238,"channelName":"일반","chat_id":9007199254740993,"content":"hi","more":[1],
             "createdAt":"2024-01-05T09:02:11.123Z","files":["/static/a.png"],"user":\(Self.user)}
            """
        let chat = try #require(read(json, as: SLPChat.self))
        #expect(chat.kind == .channel && chat.id == "9007199254740993" && chat.roomID == "238")
        #expect(chat.channelName == "일반" && chat.content == "hi" && chat.files == ["/static/a.png"])
        #expect(chat.createdAt.text == "2024-01-05T09:02:11.123Z")
        #expect(chat.createdAt.microseconds == 1_704_445_331_123_000)
        #expect(
            chat.user
                == SLPUser(id: "7", email: "bob@example.net", nickname: "bob", imagePath: "/p.png"))
        #expect(DecodedElement<SLPChat>(Array(json)).raw == Array(json))
    }

    @Test func `a direct message has its own keys and ids`() throws {
        let json =
            #"{"dm_id":"4b-e","room_id":"9a","content":"","createdAt":"2024-01-05T09:02:11Z","files":[],"user":null}"#
        let chat = try #require(read(json, as: SLPChat.self))
        #expect(chat.kind == .direct && chat.id == "4b-e" && chat.roomID == "9a" && chat.user == nil)
    }

    @Test(arguments: [
        #"{"chat_id":1,"createdAt":"2024-01-05T09:02:11Z"}"#,
        #"{"chat_id":"1","content":null,"files":null,"user":null,"channel_id":null,"createdAt":"2024-01-05T09:02:11Z"}"#,
        #"{"chat_id":1,"files":[null],"user":{"nickname":"x"},"channelName":7,"createdAt":"2024-01-05T09:02:11Z"}"#,
    ])
    func `optional parts of a message can be missing, null or odd`(json: String) throws {
        let chat = try #require(read(json, as: SLPChat.self))
        #expect(chat.id == "1" && chat.content == nil && chat.files == [] && chat.user == nil && chat.roomID == nil)
    }

    @Test(arguments: [
        (#"{"createdAt":"2024-01-05T09:02:11Z"}"#, "chat_id is missing"),
        (#"{"chat_id":null,"createdAt":"2024-01-05T09:02:11Z"}"#, "chat_id is null"),
        (#"{"chat_id":[],"createdAt":"2024-01-05T09:02:11Z"}"#, "chat_id has the wrong type"),
        (#"{"chat_id":"","createdAt":"2024-01-05T09:02:11Z"}"#, "chat_id can't be read"),
        (#"{"chat_id":1}"#, "createdAt is missing"),
        (#"{"chat_id":1,"createdAt":"yesterday"}"#, "createdAt can't be read"),
        (#"{"chat_id":1,"content":5,"createdAt":"2024-01-05T09:02:11Z"}"#, "content has the wrong type"),
        (#"{"chat_id":1,"#, "it is not JSON"), ("7", "the value has the wrong type"),
    ])
    func `a missing required part makes a message a failure with its bytes`(json: String, detail: String) {
        #expect(DecodedElement<SLPChat>(Array(json)) == .malformed(raw: Array(json), detail: detail))
    }

    @Test func `a message with invalid UTF-8 is a failure`() {
        let bytes = Array(#"{"chat_id":1,"content":"\#u{7F}","createdAt":"2024-01-05T09:02:11Z"}"#).map {
            $0 == 0x7F ? 0xFF : $0
        }
        #expect(DecodedElement<SLPChat>(bytes).value == nil && DecodedElement<SLPChat>(bytes).raw == bytes)
    }

    @Test(arguments: [
        #"{"user_id":1,"vendor":"email","accessToken":"A","refreshToken":"R"}"#,
        #"{"user_id":"1","provider":"email","token":{"accessToken":"A","refreshToken":"R"}}"#,
    ])
    func `a login of either generation gives tokens, which stay hidden`(json: String) throws {
        let tokens = try #require(read(json, as: SLPLoginAnswer.self)).tokens
        #expect(tokens == SLPTokens(access: "A", refresh: "R"))
        #expect(read(json, as: SLPProfile.self)?.loginKind == "email")
        #expect("\(tokens)" == "tokens" && String(reflecting: tokens) == "tokens" && "\(dump(tokens))" == "tokens")
    }

    @Test(arguments: ["", "a\\r\\nHost: b", "가"])
    func `a text that a header can't contain is not a token`(token: String) {
        #expect(read(#"{"accessToken":"\#(token)"}"#, as: SLPRefreshAnswer.self) == nil)
        #expect(read(#"{"accessToken":"\#(token)","refreshToken":"R"}"#, as: SLPLoginAnswer.self) == nil)
    }

    @Test(arguments: ["thumbnail", "coverImage"])
    func `a workspace has its picture under either name`(key: String) throws {
        let json = #"{"workspace_id":"w","name":null,"owner_id":3,"\#(key)":"/i.png","createdAt":"soon"}"#
        let workspace = try #require(read(json, as: SLPWorkspace.self))
        #expect(workspace.id == "w" && workspace.name == nil && workspace.ownerID == "3")
        #expect(workspace.imagePath == "/i.png" && workspace.createdAt == nil)
    }

    @Test func `channels, direct rooms and counts are read`() throws {
        let channel = try #require(read(#"{"channel_id":3,"name":"a/b","description":null}"#, as: SLPChannel.self))
        #expect(channel.id == "3" && channel.name == "a/b")
        let room = try #require(read(#"{"room_id":4,"createdAt":null,"user":\#(Self.user)}"#, as: SLPDirectRoom.self))
        #expect(room.id == "4" && room.partner?.nickname == "bob")
        #expect(read(#"{"room_id":4,"count":12}"#, as: SLPUnread.self)?.count == 12)
    }
}
