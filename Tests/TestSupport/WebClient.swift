package import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A browser or a program that sends requests to a server on this machine.
package struct WebClient: Sendable {
    package struct Answer: Sendable {
        package var status: Int
        package var headers: [String: String]
        package var body: String
        package var bytes: [UInt8]

        package func header(_ name: String) -> String? { headers[name.lowercased()] }
    }

    /// `http://127.0.0.1:8042`
    package var server: String
    /// The headers of each request.
    package var headers: [String: String] = [:]

    package init(server: String, headers: [String: String] = [:]) {
        (self.server, self.headers) = (server, headers)
    }

    /// A client that never follows a redirect and never decompresses.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10)))
    )

    package func get(_ path: String, _ headers: [String: String] = [:]) async throws -> Answer {
        try await send("GET", path, headers)
    }

    package func post(_ path: String, _ body: String, _ headers: [String: String] = [:]) async throws -> Answer {
        try await send("POST", path, headers, body: body)
    }

    package func send(
        _ method: String, _ path: String, _ headers: [String: String] = [:], body: String? = nil
    ) async throws -> Answer {
        let response = try await start(path, headers, method: method, body: body)
        let bytes = Array(buffer: try await response.body.collect(upTo: 256 << 20))
        return Answer(
            status: Int(response.status.code),
            headers: Dictionary(
                response.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { "\($0), \($1)" }),
            body: String(decoding: bytes, as: UTF8.self),
            bytes: bytes)
    }

    /// Sends a request, and returns the response when its headers have come.
    package func start(
        _ path: String, _ headers: [String: String] = [:], method: String = "GET", body: String? = nil
    ) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: server + path)
        request.method = HTTPMethod(rawValue: method)
        for (name, value) in self.headers { request.headers.replaceOrAdd(name: name, value: value) }
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        return try await Self.client.execute(request, timeout: .seconds(60))
    }
}

/// A stream of server-sent events.
package struct EventReader {
    package struct Event: Sendable, Hashable {
        package var id: String?
        package var name: String?
        package var data: String?
    }

    private var chunks: AsyncThrowingStream<[UInt8], any Error>.AsyncIterator
    private var text: [UInt8] = []

    package init(_ response: HTTPClientResponse) {
        let (stream, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let reading = Task {
            do {
                for try await chunk in response.body { continuation.yield(Array(buffer: chunk)) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in reading.cancel() }
        chunks = stream.makeAsyncIterator()
    }

    /// Returns the next block of lines, comments left out; nil at the end.
    package mutating func next() async throws -> Event? {
        while true {
            if let end = text.firstRange(of: [10, 10]) {
                let block = String(decoding: text[..<end.lowerBound], as: UTF8.self)
                text.removeSubrange(..<end.upperBound)
                let event = Self.event(block)
                if event != Event() { return event }
                continue
            }
            guard let more = try await chunks.next(isolation: #isolation) else { return nil }
            text += more
        }
    }

    /// Returns the next event with data; nil at the end.
    package mutating func nextEvent() async throws -> Event? {
        while let event = try await next() {
            if event.data != nil { return event }
        }
        return nil
    }

    private static func event(_ block: String) -> Event {
        var event = Event()
        for line in block.split(separator: "\n") {
            if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
            if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
            if line.hasPrefix("data: ") { event.data = (event.data.map { $0 + "\n" } ?? "") + line.dropFirst(6) }
        }
        return event
    }
}
