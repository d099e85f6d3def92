import Foundation
import TestSupport
import Testing

/// A token whose clients ask for long answers, and do not read them.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct UnreadAnswerTests {
    private let scrollback: Program

    private static let count = 60
    private static let size = 70_000

    init() async throws {
        scrollback = try Program()
        let text = String(repeating: "long ", count: Self.size / 5)
        let lines = (0..<Self.count).map { number in
            let time = "2026-09-21T10:00:\(number < 10 ? "0" : "")\(number).000000Z"
            return """
                {"id": "\(time)", "room": "#long", "kind": "message", "sender": {"name": "alice"}, "body": "\(text)"}
                """
        }
        try scrollback.write(lines.joined(separator: "\n") + "\n", to: "long.jsonl")
        let result = try await scrollback("import", "jsonl", "long.jsonl", "-a", "demo")
        guard result.status == 0 else { throw WaitedInVain(description: result.errors) }
    }

    @Test func `pages of long messages end early, and their links reach all of them`() async throws {
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        var (path, count) = ("/api/v1/messages?account=demo&limit=1000" as String?, 0)
        while let next = path {
            let page = try await owner.get(next)
            let messages = page.body.matches(of: /"body": "long/).count
            #expect(page.status == 200 && messages > 0 && page.bytes.count < 2 << 20)
            count += messages
            path = page.header("link")?.firstMatch(of: /<([^>]+)>; rel="prev"/).map { String($0.1) }
        }
        #expect(count == Self.count)
        for path in ["/account/demo?limit=1000", "/search?q=long&limit=1000&context=100"] {
            let page = try await owner.get(path)
            #expect(page.status == 200 && page.bytes.count < 6 << 20, "\(path): \(page.bytes.count)")
        }
    }

    @Test func `a token that does not read its answers is refused until it does, without effect on others`()
        async throws
    {
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        let bad = served.program(try await scrollback.token("bad", "--room", "demo/#long"))
        let good = served.program(try await scrollback.token("good", "--room", "demo/#long"))
        var unread: [UnreadClient] = []
        let path = "/api/v1/messages?limit="
        var refused = try await bad.get("/api/v1/rooms")
        // While an answer moves to its socket, a refusal may be over at once.
        while refused.status == 200 && unread.count < 60 {
            unread.append(UnreadClient(path + "\(100 + unread.count)", of: bad))
            refused = try await bad.get("/api/v1/rooms")
        }
        #expect(refused.status == 429 && refused.header("retry-after") == "5" && refused.body.contains("\"unread\""))
        #expect(try await owner.get(path + "50").status == 200)
        #expect(try await good.get(path + "50").status == 200)
        unread = []
        try await eventually("the token is answered again") { try await bad.get("/").status == 200 ? true : nil }
        #expect(served.run.errors.contains("clients do not read their answers"), "\(served.run.errors)")
    }
}

/// A connection with an answer of which only the first bytes were read. Closes when it is released.
private final class UnreadClient {
    private let descriptor: Int32

    init(_ path: String, of client: WebClient) {
        let port = UInt16(client.server.split(separator: ":").last ?? "") ?? 0
        let opened = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        descriptor = opened
        var (size, timeout) = (Int32(4096), timeval(tv_sec: 20, tv_usec: 0))
        setsockopt(opened, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        setsockopt(opened, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(opened, $0, length) == 0 }
        }
        let token = client.headers["Authorization"] ?? ""
        let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: \(token)\r\n\r\n".utf8)
        var line = [UInt8](repeating: 0, count: 12)
        guard isConnected, send(opened, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return }
        recv(opened, &line, line.count, Int32(MSG_WAITALL))
    }

    deinit { close(descriptor) }
}
