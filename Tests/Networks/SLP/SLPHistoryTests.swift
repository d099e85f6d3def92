import SLP
import SLPWire
import Sessions
import TestSupport
import Testing

@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SLPHistoryTests {
    @Test func `a room of 10,000 messages is fetched completely and in order`() async throws {
        let service = try await SLPService.start()
        let room = try await service.channel("general", #","chats":10000,"ties":7"#)
        try await service.call { client in
            let (chats, error) = try await client.history(of: room, after: nil).all()
            #expect(error == nil && chats.map(\.content) == (0..<10_000).map { "message \($0)" })
        }
    }

    @Test(arguments: [false, true])
    func `a cursor with an overlap omits nothing, whether its own instant is included or not`(
        isInclusive: Bool
    ) async throws {
        let service = try await SLPService.start()
        try await service.order("set", #"{"inclusive":\#(isInclusive),"doubled":true}"#)
        let room = try await service.channel("general", #","chats":20,"ties":5"#)
        try await service.call { client in
            let all = try await client.history(of: room, after: nil).all().values
            #expect(all.count == 40 && Set(all.map(\.id)).count == 20)
            let last = try #require(all.last).createdAt.microseconds
            let rest = try await client.history(of: room, after: last).all().values
            #expect(rest.count == (isInclusive ? 10 : 0))
            let overlap = try await client.history(of: room, after: last - 1000).all().values
            #expect(Set(overlap.map(\.id)).isSuperset(of: all.suffix(10).map(\.id)))
        }
    }

    @Test(arguments: [1, 500, 64 * 1024, 70_000, 300_000], [SLPGeneration.one, .two])
    func `a cut answer gives its complete elements and is reported as cut`(
        bytes: Int, generation: SLPGeneration
    ) async throws {
        let service = try await SLPService.start(generation)
        let room = try await service.channel("general", #","chats":2000"#)
        try await service.order("fault", #"{"path":"/chats","cut":\#(bytes)}"#)
        try await service.call { client in
            // Each has 400 bytes at most.
            let (chats, error) = try await client.history(of: room, after: nil).all(bytes / 400) {
                try await service.order("break_off")
            }
            #expect(error?.code == .cut && chats.count < 2000 && chats.count >= bytes / 400)
            #expect(chats.map(\.content) == chats.indices.map { "message \($0)" })
            // It goes on from there.
            let after = chats.last.map(\.createdAt.microseconds)
            let (rest, failure) = try await client.history(of: room, after: after).all()
            #expect(failure == nil && chats.count + rest.count == 2000)
        }
    }

    @Test func `an error within an answer gives the elements before it, and is not an end`() async throws {
        let service = try await SLPService.start()
        let room = try await service.channel("general", #","chats":1000"#)
        try await service.order("fault", #"{"path":"/chats","spoil":70000}"#)
        try await service.call { client in
            let (chats, error) = try await client.history(of: room, after: nil).all()
            #expect((error?.code == .unexpected || error?.code == .cut) && chats.count > 150 && chats.count < 1000)
            #expect(try await client.history(of: room, after: nil).all().values.count == 1000)
        }
    }

    @Test func `a stalled answer is cut`() async throws {
        let service = try await SLPService.start()
        let room = try await service.channel("general", #","chats":1000"#)
        try await service.order("fault", #"{"path":"/chats","stall":70000}"#)
        try await service.call({ $0.limits.idle = .seconds(2) }) { client in
            let (chats, error) = try await client.history(of: room, after: nil).all()
            #expect(error?.code == .cut && chats.count > 150 && chats.count < 1000)
            #expect(error?.detail == "the answer is incomplete: nothing came for 2.0 seconds")
        }
    }

    @Test func `a slow consumer is waited for without a limit`() async throws {
        let service = try await SLPService.start()
        let room = try await service.channel("general", #","elements":100,"bytes":300000"#)
        try await service.call({ $0.limits.idle = .seconds(1) }) { client in
            var count = 0
            for try await element in try await client.history(of: room, after: nil) {
                #expect(element.value != nil)
                count += 1
                // Longer than the server may be silent, while nothing is asked of it.
                if count == 1 { try await Task.sleep(for: .seconds(2)) }
            }
            #expect(count == 100)
        }
    }

    @Test func `an element that is too long is reported, and the others are read`() async throws {
        let service = try await SLPService.start()
        let room = try await service.channel("general", #","elements":3,"bytes":1500000,"chats":2"#)
        try await service.call { client in
            var elements: [DecodedElement<SLPChat>] = []
            for try await element in try await client.history(of: room, after: nil) { elements.append(element) }
            #expect(elements.map { $0.value?.content } == [nil, nil, nil, "message 0", "message 1"])
            guard case .malformed(let raw, let detail) = elements[0] else { return }
            #expect(
                raw.count == 1024 && detail.hasPrefix("the element has 1") && detail.hasSuffix("more than the limit"))
        }
    }

    @Test func `a cancelled task ends and leaves the client usable`() async throws {
        let service = try await SLPService.start()
        let room = try await service.channel("general", #","elements":100000,"bytes":10000"#)
        try await service.call { client in
            let elements = try await client.history(of: room, after: nil)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = await elements.all() }
                group.cancelAll()
            }
            #expect(try await client.workspaces().count == 1)
        }
    }

    /// 300 MB, of which no more is on its way than kernel and client hold. All tests' process takes 64 MB, for 2 GB too
    /// *(measured)*.
    @Test func `an answer of any size is read as it is consumed, not ahead`() async throws {
        let service = try await SLPService.start()
        let (elements, size) = (30_000, 10_000)
        let room = try await service.channel("general", #","elements":\#(elements),"bytes":\#(size)"#)
        try await service.call { client in
            var (count, bytes) = (0, 0)
            for try await element in try await client.history(of: room, after: nil) {
                count += 1
                bytes += element.raw.count
                guard count % 10_000 == 1 else { continue }
                // It sends until nobody takes any more.
                var sent = -1
                try await eventually("a server that waits for us") {
                    defer { sent = max(sent, 0) }
                    let now = try await service.state().sent
                    defer { sent = now }
                    return now == sent ? true : nil
                }
                #expect(sent - bytes < Self.onItsWay)
            }
            #expect(count == elements && bytes > elements * size * 9 / 10)
        }
    }

    /// Socket buffers of the kernel on both sides, 4 and 6 MiB at most (`tcp_wmem`, `tcp_rmem`), the server's piece of
    /// 64 KiB and what the HTTP client holds.
    private static let onItsWay = 12 << 20
}
