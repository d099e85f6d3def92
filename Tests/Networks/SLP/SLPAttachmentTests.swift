import Archive
import ChatModel
import Foundation
import Reading
import SLP
import SLPWire
import Sessions
import TestSupport
import Testing

@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SLPAttachmentTests {
    private static func fetching(_ configuration: inout SLPListenerConfiguration) {
        configuration.files.fetchesAll = true
        configuration.files.backoff = Backoff.Limits(first: .milliseconds(1), longest: .milliseconds(2))
    }

    private func files(_ archiving: SLPArchiving) async throws -> [StoredAttachment] {
        try archiving.archive.reading().files.attachments(AttachmentQuery(scope: .accounts(["work"]), limit: 1000))
            .attachments
    }

    /// Returns when no file is in these states any more.
    private func settles(
        _ archiving: SLPArchiving, outOf states: Set<ChatModel.Attachment.State> = [.missing, .failed]
    ) async throws -> [StoredAttachment] {
        var found: [StoredAttachment] = []
        return try await eventually("files are fetched or given up", state: { "\(found)" }) {
            found = try await files(archiving)
            return found.isEmpty || found.contains { states.contains($0.attachment.state) } ? nil : found
        }
    }

    private func bytes(_ stored: StoredAttachment) -> [UInt8]? {
        stored.file.flatMap { FileManager.default.contents(atPath: $0) }.map { [UInt8]($0) }
    }

    private static func content(_ count: Int, first: Int = 0) -> [UInt8] {
        (0..<count).map { UInt8((first + $0) % 251) }
    }

    private func calls(_ archiving: SLPArchiving) async throws -> [String] {
        try await archiving.service.state().calls.filter { $0.contains("/static") }
    }

    private func offer(_ archiving: SLPArchiving, _ path: String, _ more: String) async throws {
        try await archiving.service.order("file", #"{"path":"\#(path)",\#(more)}"#)
    }

    @Test(arguments: [SLPGeneration.one, .two])
    func `files are fetched completely, live ones too, and equal contents are stored once`(generation: SLPGeneration)
        async throws
    {
        let archiving = try await SLPArchiving.start(generation)
        let room = try await archiving.service.channel()
        for path in ["/static/사진 1.png", "/static/copy.png"] { try await offer(archiving, path, #""bytes":200000"#) }
        try await offer(archiving, "/static/other.pdf", #""bytes":10,"first":7"#)
        try await archiving.say("old", in: room, #","files":["/static/%EC%82%AC%EC%A7%84%201.png"]"#)
        try await archiving.listening(Self.fetching) {
            try await archiving.waitUntilLive(room)
            try await archiving.say("copy", in: room, #","files":["/static/copy.png","/static/other.pdf"]"#)
            try await archiving.say("again", in: room, #","files":["static/사진 1.png","/static/copy.png"]"#)
            try await archiving.holds("again")
            let found = try await settles(archiving)
            #expect(found.map(\.attachment.name) == ["사진 1.png", "copy.png", "other.pdf", "사진 1.png", "copy.png"])
            #expect(found.map(\.attachment.state) == Array(repeating: .fetched, count: 5))
            #expect(
                found.map(bytes)
                    == [0, 1, 2, 0, 1].map { $0 == 2 ? Self.content(10, first: 7) : Self.content(200_000) })
            #expect(Set(found.map(\.file)).count == 2)
        }
        // By each way that it is written once.
        #expect(try await calls(archiving).count == 4)
    }

    @Test(arguments: [SLPGeneration.one, .two])
    func `pictures are fetched like files, and a channel has its description and owner`(
        generation: SLPGeneration
    ) async throws {
        let archiving = try await SLPArchiving.start(generation)
        let workspace = try await archiving.service.order("workspace", #"{"name":"w","image":"/static/w.png"}"#).id
        let room = try await archiving.service.channel(in: workspace)
        for (index, name) in ["w", "bob", "bob2"].enumerated() {
            try await offer(
                archiving, "/static/\(name).png", #""bytes":64,"first":\#(index),"begins":"89504e470d0a1a0a""#)
        }
        try await archiving.service.order("picture", #"{"user":"bob","path":"/static/bob.png"}"#)
        try await archiving.service.order("describe", #"{"room":"\#(room.id)","description":"계획","owner":"bob"}"#)
        try await archiving.say("one", in: room)
        func found() async throws -> (room: Room?, bob: User?) {
            let reading = archiving.archive.reading()
            return (
                try reading.roomList(accounts: ["work"]).first { $0.kind == .channel },
                try reading.users(scope: .accounts(["work"])).first { $0.name == "bob" }
            )
        }
        try await archiving.listening(Self.fetching) {
            try await archiving.holds("one")
            try await eventually("the pictures are here") { () -> Bool? in
                let (room, bob) = try await found()
                return room?.workspacePicture?.format == .png && bob?.picture?.file.state == .fetched ? true : nil
            }
            let (listed, bob) = try await found()
            #expect(listed?.description == "계획" && listed?.owner == "bob")
            #expect(bob?.picture?.file.path == "/static/bob.png" && bob?.picture?.file.size == 64)
            try await archiving.service.order("picture", #"{"user":"bob","path":"/static/bob2.png"}"#)
            try await archiving.say("two", in: room)
            try await eventually("the other picture is here") { () -> Bool? in
                let picture = try await found().bob?.picture?.file
                return picture?.path == "/static/bob2.png" && picture?.state == .fetched ? true : nil
            }
        }
        let page = try archiving.archive.reading().page(
            MessageQuery(scope: .accounts(["work"]), anchor: .latest, limit: 9))
        #expect(page.messages.map { $0.sender?.picture?.file.path } == ["/static/bob.png", "/static/bob2.png"])
    }

    @Test func `without a configuration, files are fetched only on request`() async throws {
        let archiving = try await SLPArchiving.start()
        let room = try await archiving.service.channel()
        try await offer(archiving, "/static/a.png", #""bytes":10"#)
        try await archiving.say("hi", in: room, #","files":["/static/a.png"]"#)
        try await archiving.listening {
            try await archiving.isComplete()
            #expect(try await files(archiving).map(\.attachment.state) == [.missing])
            #expect(try await calls(archiving).isEmpty)
            let asked = try await archiving.writer.value?.requestAttachments(
                room: nil, after: nil, before: nil, limit: nil)
            #expect(asked == 1)
            #expect(try await settles(archiving).map(\.attachment.state) == [.fetched])
        }
    }

    @Test func `files are fetched from the moment that the configuration enables it`() async throws {
        let archiving = try await SLPArchiving.start()
        let room = try await archiving.service.channel()
        try await offer(archiving, "/static/a.png", #""bytes":10"#)
        try await archiving.say("hi", in: room, #","files":["/static/a.png"]"#)
        try await archiving.listening {
            try await archiving.isComplete()
            archiving.configure(Self.fetching)
            #expect(try await settles(archiving).map(\.attachment.state) == [.fetched])
            archiving.configure { $0.files.fetchesAll = false }
        }
        #expect(try await calls(archiving).count == 1)
    }

    /// The answer ends in the middle when the client has its beginning.
    @Test(arguments: [#""\"1\"""#, "null", #""W/\"1\"""#])
    func `an interrupted file continues, or starts over if it may have changed`(
        tag: String
    ) async throws {
        let archiving = try await SLPArchiving.start()
        let room = try await archiving.service.channel()
        try await offer(archiving, "/static/a.png", #""bytes":200000,"tag":\#(tag)"#)
        try await archiving.service.order("fault", #"{"path":"/static","cut":70000}"#)
        try await archiving.say("hi", in: room, #","files":["/static/a.png"]"#)
        try await archiving.listening(Self.fetching) {
            try await hasPart(archiving, of: 70_000)
            // What is said goes on meanwhile.
            try await archiving.waitUntilLive(room)
            try await archiving.say("meanwhile", in: room)
            try await archiving.holds("meanwhile")
            try await archiving.service.order("break_off")
            #expect(try await settles(archiving).map(bytes) == [Self.content(200_000)])
        }
        let ranges = try await archiving.service.server.state().requests.compactMap { $0.headers["range"] }
        #expect(ranges == (tag == #""\"1\"""# ? ["bytes=70000-"] : []))
        #expect(try await calls(archiving).count == 2)
    }

    @Test(arguments: [0, 7])
    func `a file interrupted by a stop continues at the next start, unless it changed`(first: Int) async throws {
        let archiving = try await SLPArchiving.start()
        let room = try await archiving.service.channel()
        try await offer(archiving, "/static/a.png", #""bytes":200000"#)
        try await archiving.service.order("fault", #"{"path":"/static","cut":70000}"#)
        try await archiving.say("hi", in: room, #","files":["/static/a.png"]"#)
        try await archiving.listening(Self.fetching) { try await hasPart(archiving, of: 70_000) }
        #expect(try await files(archiving).map(\.attachment.state) == [.missing])
        try await hasPart(archiving, of: 70_000)
        if first > 0 { try await offer(archiving, "/static/a.png", #""bytes":200000,"first":7,"tag":"\"2\"""#) }
        try await archiving.listening(Self.fetching) {
            let found = try await settles(archiving)
            #expect(found.map(bytes) == [Self.content(200_000, first: first)])
        }
        let ranges = try await archiving.service.server.state().requests.compactMap { $0.headers["range"] }
        #expect(ranges == ["bytes=70000-"])
    }

    private func hasPart(_ archiving: SLPArchiving, of size: Int) async throws {
        var found: [String: Int] = [:]
        try await eventually("\(size) bytes are there", state: { "\(found)" }) { () -> Bool? in
            let folder = archiving.archive.folder + "/accounts"
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
                $0.contains("unfinished/")
            }
            found = [:]
            for name in names {
                found[name] = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.size] as? Int
            }
            return found.values.contains(size) ? true : nil
        }
    }

    @Test(arguments: [false, true])
    func `a file over the limit is not kept until the limit grows`(
        isChunked: Bool
    ) async throws {
        let archiving = try await SLPArchiving.start()
        let room = try await archiving.service.channel()
        try await offer(archiving, "/static/a.mp4", #""bytes":200000,"chunked":\#(isChunked)"#)
        try await archiving.say("hi", in: room, #","files":["/static/a.mp4"]"#)
        func limited(_ bytes: Int) -> (inout SLPListenerConfiguration) -> Void {
            { configuration in
                Self.fetching(&configuration)
                configuration.service.limits.fileBytes = bytes
                configuration.files.bytes = Int64(bytes)
            }
        }
        try await archiving.listening(limited(199_999)) {
            let found = try await settles(archiving)
            #expect(found.map(\.attachment.state) == [.tooLarge])
            #expect(found.map(\.error) == ["the file is larger than 199999 bytes"])
            #expect(found.map(\.attachment.size) == [isChunked ? nil : 200_000])
        }
        try await archiving.listening(limited(199_999)) { try await archiving.isComplete() }
        #expect(try await calls(archiving).count == 1)
        try await archiving.listening(limited(200_000)) {
            let found = try await settles(archiving, outOf: [.missing, .tooLarge])
            #expect(found.map(bytes) == [Self.content(200_000)])
        }
    }

    @Test(arguments: [#""status":404"#, #""code":"E13""#, #""location":"http://127.0.0.1:1/static/a.png""#])
    func `a missing or moved file is requested once`(fault: String) async throws {
        let archiving = try await SLPArchiving.start()
        let room = try await archiving.service.channel()
        try await offer(archiving, "/static/a.png", #""bytes":10"#)
        try await archiving.service.order("fault", #"{"path":"/static",\#(fault),"times":99}"#)
        try await archiving.say("hi", in: room, #","files":["/static/a.png"]"#)
        for _ in 1...2 {
            try await archiving.listening(Self.fetching) {
                let found = try await settles(archiving)
                #expect(found.map(\.attachment.state) == [fault.contains("location") ? .otherServer : .gone])
                #expect(found.allSatisfy { $0.error != nil && $0.nextTry == nil && $0.file == nil })
            }
        }
        #expect(try await calls(archiving).count == 1)
    }

    @Test func `a file of another service is never requested, and blocks no other`() async throws {
        let archiving = try await SLPArchiving.start()
        let room = try await archiving.service.channel()
        try await offer(archiving, "/static/a.png", #""bytes":10"#)
        let paths = [
            "http://evil.example/a.png", "//evil.example/a.png", "/static/../users/me",
            "/workspaces/1/channels/2/chats",
            "/static/a.png",
        ]
        try await archiving.say("hi", in: room, #","files":["\#(paths.joined(separator: #"",""#))"]"#)
        try await archiving.listening(Self.fetching) {
            let found = try await settles(archiving)
            #expect(
                found.map(\.attachment.state) == [.otherServer, .otherServer, .otherServer, .otherServer, .fetched])
        }
        #expect(try await calls(archiving) == ["GET /static/a.png"])
        #expect(try await archiving.service.state().joined == [room.id])
    }

    @Test func `a file that the service fails to deliver is retried and finally given up`() async throws {
        let archiving = try await SLPArchiving.start()
        let room = try await archiving.service.channel()
        for name in ["a", "b"] { try await offer(archiving, "/static/\(name).png", #""bytes":10"#) }
        try await archiving.service.order("fault", #"{"path":"/static/a","code":"E14","times":2}"#)
        try await archiving.service.order("fault", #"{"path":"/static/b","code":"E14","times":99}"#)
        try await archiving.say("hi", in: room, #","files":["/static/a.png","/static/b.png"]"#)
        try await archiving.listening({ configuration in
            Self.fetching(&configuration)
            configuration.files.attempts = 4
        }) {
            let found = try await eventually("one has come, the other is given up") {
                let found = try await files(archiving)
                return found.map(\.attempts) == [3, 4] ? found : nil
            }
            #expect(found.map(\.attachment.state) == [.fetched, .failed])
            #expect(found.map(\.nextTry) == [nil, nil])
            #expect(found.last?.error == "the server answered E14 (no permission)")
        }
    }
}
