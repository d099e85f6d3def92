import ChatModel
import SLP
import SLPWire
import Sessions
import TestSupport
import Testing

@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SLPClientTests {
    @Test(arguments: SLPGeneration.allCases, [false, true])
    func `a server is read in its own generation, which the client detects`(
        generation: SLPGeneration, isConfigured: Bool
    ) async throws {
        let service = try await SLPService.start(generation)
        let workspace = try await service.order("workspace", #"{"name":"w","image":"/static/w.png"}"#).id
        let channel = try await service.order(
            "channel", #"{"workspace":"\#(workspace)","name":"a/b %2F?","chats":3}"#
        ).id
        try await service.order("channel", #"{"workspace":"\#(workspace)","name":"other","mine":false}"#)
        let direct = try await service.order("direct", #"{"workspace":"\#(workspace)","chats":5,"partner":"carol"}"#)
        try await service.call({ $0.generation = isConfigured ? generation : nil }) { client in
            #expect(try await client.generation() == generation)
            #expect(try await client.profile().value?.user.nickname == "alice")
            #expect(try await client.profile().value?.loginKind == "email")
            let workspaces = try await client.workspaces()
            #expect(workspaces.map(\.value?.id) == [workspace])
            #expect(workspaces.first?.value?.imagePath == "/static/w.png")
            #expect(try await client.members(of: workspace).map(\.value?.nickname) == ["alice", "bob", "carol"])
            #expect(try await client.channels(of: workspace).map(\.value?.name) == ["a/b %2F?"])
            #expect(try await client.allChannels(of: workspace).map(\.value?.name) == ["a/b %2F?", "other"])
            let rooms = try await client.directRooms(of: workspace)
            #expect(rooms.map(\.value?.id) == [direct.id])
            #expect(rooms.first?.value?.partner?.nickname == "carol")
            let address = SLPRoomAddress.channel(workspace: workspace, id: channel, name: "a/b %2F?")
            #expect(try await client.members(of: address).count == 2)
            let other = SLPRoomAddress.direct(workspace: workspace, id: direct.id, partner: direct.partner ?? "")
            let (chats, error) = try await client.history(of: address, after: nil).all()
            #expect(chats.map(\.content) == ["message 0", "message 1", "message 2"] && error == nil)
            #expect(chats.allSatisfy { $0.kind == .channel && $0.roomID == channel })
            let (messages, failure) = try await client.history(of: other, after: nil).all()
            #expect(messages.count == 5 && failure == nil)
            #expect(messages.allSatisfy { $0.kind == .direct && $0.roomID == direct.id })
            let second = try #require(messages.dropFirst().first).createdAt.microseconds
            #expect(try await client.history(of: other, after: second).all().values.count == 3)
            #expect(try await client.unread(in: other, after: second) == 3)
            #expect(try await client.unread(in: address, after: chats[0].createdAt.microseconds) == 2)
        }
        #expect(try await service.state().login == 1)
    }

    @Test(arguments: SLPGeneration.allCases)
    func `ids of the other type and null values are read alike`(generation: SLPGeneration) async throws {
        let service = try await SLPService.start(generation)
        try await service.order("set", #"{"other_ids":true,"bare":true,"list_first":true}"#)
        let workspace = try await service.order("workspace", #"{"name":"w"}"#).id
        let direct = try await service.order("direct", #"{"workspace":"\#(workspace)","chats":2}"#)
        try await service.call { client in
            #expect(try await client.directRooms(of: workspace).map(\.value?.id) == [direct.id])
            let room = SLPRoomAddress.direct(workspace: workspace, id: direct.id, partner: direct.partner ?? "")
            let (chats, error) = try await client.history(of: room, after: nil).all()
            #expect(error == nil && chats.count == 2)
            #expect(chats.allSatisfy { $0.user == nil && $0.content == nil && $0.files == [] })
        }
    }

    @Test func `a renamed room is found by its new name in generation 1`() async throws {
        let service = try await SLPService.start(.one)
        guard case .channel(let workspace, let id, _) = try await service.channel("old", #","chats":2"#) else { return }
        try await service.order("rename", #"{"room":"\#(id)","name":"new"}"#)
        try await service.call { client in
            await #expect(throws: CallError.self) {
                try await client.history(of: .channel(workspace: workspace, id: id, name: "old"), after: nil)
            }
            let name = try #require(try await client.channels(of: workspace).first?.value?.name)
            let room = SLPRoomAddress.channel(workspace: workspace, id: id, name: name)
            #expect(try await client.history(of: room, after: nil).all().values.count == 2)
        }
    }

    @Test func `a deleted room is reported as gone`() async throws {
        let service = try await SLPService.start()
        let room = try await service.channel()
        guard case .channel(_, let id, _) = room else { return }
        try await service.order("delete", #"{"room":"\#(id)"}"#)
        try await service.call { client in
            let error = await #expect(throws: CallError.self) { try await client.history(of: room, after: nil) }
            #expect(error?.code == .gone && error?.detail == "the server answered E13 (gone)")
        }
    }

    @Test func `a list without its end, or another answer, is an error`() async throws {
        let service = try await SLPService.start()
        for body in [#"[{\"workspace_id\":1}"#, "<html>", "{}", ""] {
            try await service.order("fault", #"{"path":"^/v1/workspaces$","status":200,"body":"\#(body)"}"#)
        }
        try await service.call { client in
            for _ in 0..<4 {
                let error = await #expect(throws: CallError.self) { try await client.workspaces() }
                #expect(error?.code == .unexpected)
            }
            let workspaces = try await client.workspaces()
            #expect(workspaces.isEmpty)
        }
    }

    @Test func `one bad element spoils no other element of a list`() async throws {
        let service = try await SLPService.start()
        let body = #"[{\"workspace_id\":1},{\"name\":\"x\"},{\"workspace_id\":\"2\"}]"#
        try await service.order("fault", #"{"path":"^/v1/workspaces$","status":200,"body":"\#(body)"}"#)
        try await service.call { client in
            let list = try await client.workspaces()
            #expect(list.map(\.value?.id) == ["1", nil, "2"])
            #expect(list[1] == .malformed(raw: [], detail: "workspace_id is missing"))
        }
    }

    @Test func `a list that is too long is refused`() async throws {
        let service = try await SLPService.start()
        try await service.order("workspace", #"{"name":"\#(String(repeating: "x", count: 2000))"}"#)
        try await service.call({ $0.limits.listBytes = 1500 }) { client in
            let error = await #expect(throws: CallError.self) { try await client.workspaces() }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test func `a list with too many elements is refused, however short they are`() async throws {
        let service = try await SLPService.start()
        try await service.order("fault", #"{"path":"^/v1/workspaces$","status":200,"body":"[1,2,3,4]"}"#)
        try await service.call({ $0.limits.listElements = 3 }) { client in
            let error = await #expect(throws: CallError.self) { try await client.workspaces() }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test(arguments: [
        ("https://chat.example.net", "https://chat.example.net"), ("http://127.0.0.1:80/", "http://127.0.0.1:80"),
        ("HTTPS://Chat.example.net:8443/v1/", "https://chat.example.net:8443"),
        ("http://[::1]:80/v1", "http://[::1]:80"),
    ])
    func `a server is given as an origin`(url: String, origin: String) {
        #expect(HTTPOrigin(url, optionalPath: "/v1")?.origin == origin)
    }

    @Test(arguments: [
        "", "chat.example.net", "ftp://x", "http://", "http://user@x", "http://u:p@x", "http://x/other", "http://x?a",
        "http://x#a", "unix:///tmp/x", "http://x y",
    ])
    func `another text is not a server`(url: String) {
        #expect(HTTPOrigin(url, optionalPath: "/v1") == nil)
    }
}
