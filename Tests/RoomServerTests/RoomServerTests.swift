import NIOCore
import RoomServer
import StreamChatWire
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct RoomServerTests {
    @Test func `everyone gets a message, its sender included, and the others get joins and leaves`() async throws {
        try await withRoomServer { port in
            let alice = try await ChatClient.joined("alice", port: port)
            let bob = try await ChatClient.joined("bob", port: port)
            #expect(await alice.receives(.joined(name: "bob"), .message(name: "bob", text: "here")))
            try await alice.send(.message(text: "a::b"))
            #expect(await alice.receives(.message(name: "alice", text: "a::b")))
            #expect(await bob.receives(.message(name: "alice", text: "a::b")))
            try await bob.send(.leave)
            #expect(await alice.receives(.left(name: "bob")))
            #expect(await bob.rest() == [])
        }
    }

    @Test(arguments: [Framing.chunk, .lf, .nul], Revision.allCases)
    func `the server speaks every framing and revision`(framing: Framing, revision: Revision) async throws {
        let log = EventLog()
        try await withRoomServer(framing, revision, log: log) { port in
            let alice = try await ChatClient(port: port)
            try await alice.send(ClientFrame.join(name: "alice").encoded(revision))
            await log.first("client joined")
            let bob = try await ChatClient(port: port)
            try await bob.send(ClientFrame.join(name: "bob").encoded(revision))
            #expect(await alice.receives(.joined(name: "bob"), framing: framing, revision: revision))
            try await bob.send(ClientFrame.message(text: "hi").encoded(revision))
            #expect(await alice.receives(.message(name: "bob", text: "hi"), framing: framing, revision: revision))
            await bob.close()
            #expect(await alice.receives(.left(name: "bob"), framing: framing, revision: revision))
        }
    }

    @Test func `a connection that ends without LEAVE has left`() async throws {
        try await withRoomServer { port in
            let alice = try await ChatClient.joined("alice", port: port)
            let bob = try await ChatClient(port: port)
            try await bob.send(Array("USR_NAME::bob::ENDMSG::bye::END".utf8))
            await bob.close()
            #expect(
                await alice.receives(.joined(name: "bob"), .message(name: "bob", text: "bye"), .left(name: "bob")))
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a client that leaves at once is still received`() async throws {
        try await withRoomServer { port in
            let alice = try await ChatClient.joined("alice", port: port)
            let names = (0..<200).map { "bob\($0)" }
            try await withThrowingDiscardingTaskGroup { group in
                for name in names {
                    group.addTask {
                        let bob = try await ChatClient(port: port)
                        try await bob.send(Array("USR_NAME::\(name)::ENDMSG::bye::END".utf8))
                        await bob.close()
                    }
                }
            }
            let lines = names.flatMap { name -> [ServerLine] in
                [.joined(name: name), .message(name: name, text: "bye"), .left(name: name)]
            }
            let received = await alice.next(lines.reduce(0) { $0 + $1.encoded(.august2021, .nul).count })
            #expect(Set(received.split(separator: 0)) == Set(lines.map { $0.encoded(.august2021, .lf).dropLast() }))
        }
    }

    /// What a client should not send, by what it is.
    static let junk: [(String, [UInt8])] = [
        ("line ends", Array("\r\n".utf8)),
        ("NUL", [0, 0, 0]),
        ("a frame cut inside a code point", Array("MSG::가".utf8.dropLast())),
        ("300 bytes of memory", [UInt8](repeating: 0xC3, count: 300)),
        ("no frame", Array("nonsense::END::".utf8)),
        ("a second join", Array("USR_NAME::again::END".utf8)),
        ("301 Characters", ClientFrame.message(text: String(repeating: "a", count: 301)).encoded(.august2021)),
        ("100,000 bytes", ClientFrame.message(text: String(repeating: "a", count: 100_000)).encoded(.august2021)),
        ("1 MB of colons", [UInt8](repeating: 0x3A, count: 1_000_000)),
    ]

    @Test(.disabled(if: QuickCheck.isRunning), arguments: junk)
    func `invalid input from a client is skipped, and what follows is received`(
        what: String, bytes: [UInt8]
    ) async throws {
        try await withRoomServer { port in
            let alice = try await ChatClient.joined("alice", port: port)
            try await alice.send(bytes)
            try await alice.send(.message(text: "hi"))
            #expect(await alice.receives(.message(name: "alice", text: "hi")))
        }
    }

    @Test func `frames split after every byte are complete`() async throws {
        try await withRoomServer { port in
            let alice = try await ChatClient.joined("alice", port: port)
            let bob = try await ChatClient(port: port)
            for byte in Array("USR_NAME::bob::ENDMSG::가::END".utf8) { try await bob.send([byte]) }
            #expect(await alice.receives(.joined(name: "bob"), .message(name: "bob", text: "가")))
        }
    }

    @Test(arguments: ["", "elevenchars", "a::b", "a\nb", "a\0b"])
    func `a client with an impossible name is disconnected`(name: String) async throws {
        try await withRoomServer { port in
            let alice = try await ChatClient.joined("alice", port: port)
            let refused = try await ChatClient(port: port)
            try await refused.send(.join(name: name))
            #expect(await refused.rest() == [])
            try await alice.send(.message(text: "still here"))
            #expect(await alice.receives(.message(name: "alice", text: "still here")))
        }
    }

    @Test func `a message before the join is ignored`() async throws {
        try await withRoomServer { port in
            let alice = try await ChatClient.joined("alice", port: port)
            let bob = try await ChatClient(port: port)
            try await bob.send(Array("MSG::too early::ENDUSR_NAME::bob::ENDMSG::hi::END".utf8))
            #expect(await alice.receives(.joined(name: "bob"), .message(name: "bob", text: "hi")))
        }
    }

    @Test func `a text of 300 family emoji is delivered`() async throws {
        let text = String(repeating: "👨\u{200D}👩\u{200D}👧\u{200D}👦", count: 300)
        for revision in Revision.allCases {
            let log = EventLog()
            try await withRoomServer(.nul, revision, log: log) { port in
                let alice = try await ChatClient(port: port)
                try await alice.send(ClientFrame.join(name: "alice").encoded(revision))
                await log.first("client joined")
                let bob = try await ChatClient(port: port)
                try await bob.send(ClientFrame.join(name: "bob").encoded(revision))
                #expect(await alice.receives(.joined(name: "bob"), revision: revision))
                try await bob.send(ClientFrame.message(text: text).encoded(revision))
                #expect(await alice.receives(.message(name: "bob", text: text), revision: revision))
            }
        }
    }

    @Test func `a client beyond the limit is disconnected`() async throws {
        try await withRoomServer(configure: { $0.limits.connections = 1 }) { port in
            let alice = try await ChatClient.joined("alice", port: port)
            let refused = try await ChatClient(port: port)
            #expect(await refused.rest() == [])
            await alice.close()
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a client that does not read is disconnected, and the others lose nothing`() async throws {
        try await withRoomServer(configure: { $0.limits.backlogBytes = 256 * 1024 }) { port in
            let alice = try await ChatClient.joined("alice", port: port)
            let slow = try await ChatClient(port: port, reading: false)
            try await slow.send(.join(name: "slow"))
            #expect(await alice.receives(.joined(name: "slow")))
            let text = String(repeating: "👨\u{200D}👩\u{200D}👧\u{200D}👦", count: 300)
            let notice = ServerLine.left(name: "slow").encoded(.august2021, .nul)
            let line = ServerLine.message(name: "alice", text: text).encoded(.august2021, .nul)
            // What the kernel takes for a client that does not read is some megabytes.
            var wasCut = false
            for _ in 0..<10_000 where !wasCut {
                try await alice.send(.message(text: text))
                var received = await alice.next(notice.count)
                wasCut = received == notice
                received = await (wasCut ? [] : received) + alice.next(line.count - (wasCut ? 0 : notice.count))
                #expect(received == line)
            }
            #expect(wasCut)
        }
    }

    @Test func `with chunk framing, separate messages are separate reads`() async throws {
        try await withRoomServer(.chunk) { port in
            let alice = try await ChatClient.joined("alice", port: port, .chunk)
            for number in 0..<50 {
                try await alice.send(.message(text: "\(number)"))
                #expect(await alice.read() == "alice::\(number)")
            }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `everyone receives a whole burst in the same order`() async throws {
        let (senders, messages) = (10, 200)
        try await withRoomServer { port in
            let first = try await ChatClient.joined("user0", port: port)
            var clients = [first]
            for number in 1..<senders {
                let client = try await ChatClient(port: port)
                try await client.send(.join(name: "user\(number)"))
                #expect(await first.receives(.joined(name: "user\(number)")))
                clients.append(client)
            }
            for (number, client) in clients.enumerated() {
                let frames = (0..<messages).flatMap {
                    ClientFrame.message(text: "\(number) \($0)").encoded(.august2021)
                }
                client.channel.writeAndFlush(ByteBuffer(bytes: frames), promise: nil)
            }
            var received: [[ParsedUnit]] = []
            for client in clients { received.append(await client.messages(senders * messages)) }
            let inOrder = received[0].map(\.content)
            #expect(received.allSatisfy { $0.map(\.content) == inOrder })
            for number in 0..<senders {
                let own = inOrder.filter { if case .message("user\(number)", _) = $0 { true } else { false } }
                #expect(own == (0..<messages).map { .message(name: "user\(number)", text: "\(number) \($0)") })
            }
        }
    }

    @Test func `cancelling its task stops the server and disconnects its clients`() async throws {
        var client: ChatClient?
        try await withRoomServer { port in client = try await ChatClient.joined("alice", port: port) }
        #expect(await client?.rest() == [])
    }

    @Test func `the server stops while it accepts clients`() async throws {
        for _ in 0..<20 {
            try await withRoomServer { port in
                try await withThrowingDiscardingTaskGroup { tasks in
                    for _ in 0..<20 { tasks.addTask { _ = try await ChatClient(port: port) } }
                }
            }
        }
    }

    @Test func `a port in use is an error that names it`() async throws {
        try await withRoomServer { port in
            await #expect {
                try await withRoomServer(configure: { $0.port = port }) { _ in }
            } throws: { error in
                (error as? RoomServerError)?.detail.contains("can't listen on 127.0.0.1:\(port): ") ?? false
            }
        }
    }
}

extension ChatClient {
    /// The next messages, notices left out.
    fileprivate func messages(_ count: Int) async -> [ParsedUnit] {
        var parser = StreamChatParser(.nul, known: KnownNames())
        var messages: [ParsedUnit] = []
        while messages.count < count, let read = await read() {
            messages += parser.parseBytes(Array(read.utf8), at: 0).filter {
                if case .message = $0.content { true } else { false }
            }
        }
        return messages
    }
}
