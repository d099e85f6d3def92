import Foundation
import TestSupport
import Testing

/// Requests that no browser sends, and accounts that move while they are read.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct UnusualRequestTests {
    private let archive: ServedArchive
    private var scrollback: Program { archive.scrollback }

    init() throws {
        archive = try ServedArchive()
    }

    /// Sends bytes, and returns the status line of the answer.
    private func status(_ request: String, of served: ServedProgram) throws -> String {
        String(decoding: try answer(request, of: served).prefix { $0 != 13 }, as: UTF8.self)
    }

    /// Sends bytes, and returns the first part of the answer, or all up to the end of the connection.
    private func answer(_ request: String, of served: ServedProgram, whole: Bool = false) throws -> [UInt8] {
        let port = Int(served.server.split(separator: ":").last ?? "") ?? 0
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw WaitedInVain(description: "no connection to \(port)") }
        var rest = Array(request.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        repeat {
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { break }
            bytes += part.prefix(count)
        } while whole
        return bytes
    }

    @Test func `every address and header gets an answer`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let host = served.server.dropFirst("http://".count)
        let cookie = try await served.owner().headers["Cookie"] ?? ""
        func request(_ path: String, _ headers: String = "") -> String {
            "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nCookie: \(cookie)\r\n\(headers)\r\n"
        }
        let long = String(repeating: "a", count: 64 * 1024)
        let awkward: [(String, ClosedRange<Int>)] = [
            (request("/", "X-Long: \(long)\r\n"), 400...400),
            (request("/", String(repeating: "X-Many: a\r\n", count: 1000)), 400...400),
            (request("/" + long.prefix(4096)), 404...404), (request("/search?q=" + long.prefix(20_000)), 414...414),
            (request("//room/demo/1"), 400...400),
            (request("/api/v1/changes?account=demo&after=%0aid:%20x:1"), 400...400),
            (request("/../../etc/passwd"), 404...404), (request("/assets/%2e%2e/%2e%2e/etc/passwd"), 404...404),
            (request("/assets/../serve.secret"), 404...404), (request("/room/demo%2F1/1"), 404...404),
            (request("/room/demo/99999999999999999999"), 404...404), (request("/room/demo/1%00"), 400...404),
            (request("/api/v1/files/../../serve.secret"), 404...404), (request("/search?q=%zz"), 400...400),
            (request("/room/demo/1/calendar?year=99999999"), 400...404), ("GET / HTTP/1.1\r\n\r\n", 421...421),
            ("GET /\u{0} HTTP/1.1\r\nHost: \(host)\r\n\r\n", 400...400),
            ("\u{16}\u{3}\u{1}nonsense\r\n\r\n", 400...400),
        ]
        for (text, statuses) in awkward {
            let line = try status(text, of: served)
            let code = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            #expect(statuses.contains(code), "\(text.prefix(80)): \(line)")
        }
        #expect(try await served.owner().get("/").status == 200)
    }

    @Test func `an unencoded address, an unknown method and a long address get a problem`() async throws {
        let served = try await scrollback.serve()
        let host = served.server.dropFirst("http://".count)
        for line in ["GET /api/v1/search?q=안녕 HTTP/1.1", "NONE /api/v1/rooms HTTP/1.1"] {
            let bytes = try answer("\(line)\r\nHost: \(host)\r\n\r\n", of: served, whole: true)
            let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n")
            #expect(parts[0].hasPrefix("HTTP/1.1 400 ") && parts[0].contains("application/problem+json"), "\(parts)")
            #expect(parts[0].contains("Content-Length: \(parts.last?.utf8.count ?? 0)"), "\(parts)")
            #expect(parts.last?.contains("percent-encode the address") == true, "\(parts)")
        }
        let long = try await served.owner().get("/api/v1/search?q=" + String(repeating: "a", count: 20_000))
        #expect(long.status == 414 && long.body.contains("\"title\": \"URI Too Long\""), "\(long.body)")
    }

    @Test func `a slow client delays no other`() async throws {
        try await archive.fill(1000)
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        var slow: [EventReader] = []
        // Their answers are never read.
        for _ in 0..<50 { slow.append(EventReader(try await owner.start("/api/v1/messages?account=demo&limit=1000"))) }
        for _ in 0..<20 { #expect(try await owner.get("/api/v1/rooms").status == 200) }
        withExtendedLifetime(slow) {}
    }

    @Test func `an account is compressed, read again and erased while the server runs`() async throws {
        try await archive.fill(50)
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        let before = try await client.get("/api/v1/messages?account=demo").body
        try await eventually("the server lets the account go") {
            try await scrollback("archive", "compress", "demo").status == 0 ? true : nil
        }
        let rooms = try await client.get("/api/v1/rooms").body
        #expect(
            rooms.contains("\"reason\": \"cold\"") && !rooms.contains("\"account\": \"demo\", \"network\""), "\(rooms)")
        #expect(try await client.get("/api/v1/rooms?cold=1").body.contains("\"account\": \"demo\", \"network\""))
        #expect(
            try await client.get("/api/v1/messages?account=demo").body == before, "it is read from a copy")
        try await eventually("the server lets the account go") {
            try await scrollback("archive", "erase", "demo", "--execute").status == 0 ? true : nil
        }
        #expect(try await client.get("/api/v1/messages?account=demo").status == 404)
        #expect(try await client.get("/api/v1/messages?account=%EB%91%98").status == 200)
    }
}
