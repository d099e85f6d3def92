import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Sessions
import Synchronization
import XMPPWire

/// Fetches the files to which messages link, each from the host of its link and from no other: redirects are not followed.
final class XMPPFileClient: FileClient {
    private let group: any EventLoopGroup
    private let tls: TLSOptions
    private let limit: Int
    private let traffic: Traffic?
    private let clock: any Clock<Duration>
    /// The clients of the hosts, because each checks the name in the certificate.
    private let clients = Mutex<[String: HTTPClient]>([:])

    /// The limit of hosts at once.
    private static let maximumHosts = 16
    /// The limit of the time between two pieces of a file, and of the beginning of an answer.
    private static let idle = Duration.seconds(60)

    /// - Parameter limit: The largest file, in bytes.
    init(group: any EventLoopGroup, tls: TLSOptions, limit: Int64, traffic: Traffic?, clock: any Clock<Duration>) {
        (self.group, self.tls, self.limit, self.traffic) = (group, tls, Int(limit), traffic)
        self.clock = clock
    }

    /// Runs `body`, and closes the client's connections after it.
    func whileOpen<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        defer { close() }
        return try await body()
    }

    /// Closes the connections to all hosts.
    func close() {
        let open = clients.withLock { clients in
            defer { clients = [:] }
            return Array(clients.values)
        }
        // The loops belong to the process, so nothing waits for the end.
        for client in open { client.shutdown { _ in } }
    }

    func file(_ path: String, from offset: Int, tag: String?) async throws -> FetchedFile {
        guard let link = FileLink(path) else {
            throw CallError(code: .foreignOrigin, detail: "it is not a link by https to a public host")
        }
        var request = HTTPClientRequest(url: link.url)
        request.headers.add(name: "Accept", value: "*/*")
        if offset > 0 {
            request.headers.add(name: "Range", value: "bytes=\(offset)-")
            if let tag { request.headers.add(name: "If-Range", value: tag) }
        }
        let response: HTTPClientResponse
        do {
            response = try await client(for: link.host)
                .execute(request, deadline: .now() + TimeAmount(Self.idle))
        } catch {
            throw CallError(code: .unavailable, detail: "\(link.host) can't be reached: \(error)")
        }
        guard (200..<300).contains(response.status.code) else { throw Self.refusal(response.status.code, link.host) }
        let answer = HTTPBody(
            response, limit: limit, idle: Self.idle, clock: clock, traffic: traffic, failure: CallError.init)
        return try FetchedFile(response, resume: offset, limit: limit, body: answer)
    }

    private static func refusal(_ status: UInt, _ host: String) -> CallError {
        let code: CallError.Code =
            switch status {
            case 404, 410: .gone
            case 401, 403: .noPermission
            case 429: .tooManyCalls
            case 500...: .unavailable
            default: .refused
            }
        return CallError(code: code, detail: "\(host) answered with the status \(status)")
    }

    private func client(for host: String) -> HTTPClient {
        let (client, old) = clients.withLock { clients -> (HTTPClient, HTTPClient?) in
            if let known = clients[host] { return (known, nil) }
            let old = clients.count >= Self.maximumHosts ? clients.popFirst()?.value : nil
            let new = HTTPClient(
                eventLoopGroupProvider: .shared(group),
                configuration: HTTPClient.Configuration(tls.configuration, host: host))
            clients[host] = new
            return (new, old)
        }
        old?.shutdown { _ in }
        return client
    }
}
