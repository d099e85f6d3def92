import AsyncHTTPClient
import ChatModel
import NIOCore
import NIOHTTP1
import SLPWire
import Sessions

/// Carries packets over HTTP: a GET waits for the server's packets, a POST sends ours.
struct PollingTransport: EngineTransport {
    /// The limit of bytes of an error's body that are reported.
    private static let errorBytes = 200
    /// The wait between polls without any packet; a working server delays its answer instead.
    private static let pause: Duration = .seconds(1)

    let client: HTTPClient
    let configuration: SocketIOConfiguration
    let clock: any Clock<Duration>
    let readClocks: @Sendable () -> ClockReading
    let traffic: Traffic?
    private var session: String?
    /// The time limit for the answer to a POST.
    private var timeout: Duration

    init(
        client: HTTPClient, configuration: SocketIOConfiguration, clock: any Clock<Duration>,
        readClocks: @escaping @Sendable () -> ClockReading, traffic: Traffic?
    ) {
        (self.client, self.configuration, self.clock, self.readClocks) = (client, configuration, clock, readClocks)
        self.traffic = traffic
        timeout = configuration.openTimeout
    }

    /// Opens a session; nil if the server does not answer with a handshake, for instance because it has only
    /// WebSockets.
    mutating func open() async throws -> EngineOpening? {
        session = nil
        let (first, others, at) = try await within(
            configuration.openTimeout, of: clock, else: ConnectionError.late(configuration, "opening a session")
        ) { [self] in
            try await firstPackets()
        }
        guard case .packet(.open(let data))? = first else { return nil }
        guard let handshake = Handshake(data, limits: configuration.limits) else {
            throw ConnectionError.noHandshake(configuration)
        }
        session = handshake.session
        timeout = handshake.silenceLimit
        return EngineOpening(handshake: handshake, others: others, at: at)
    }

    private func firstPackets() async throws -> (Decoded<EnginePacket>?, [Decoded<EnginePacket>], ClockReading) {
        let response = try await client.execute(request(.GET), deadline: .distantFuture)
        guard response.status == .ok else { return (nil, [], readClocks()) }
        var decoder = PolledBody(limits: configuration.limits)
        var packets: [Decoded<EnginePacket>] = []
        do {
            let body = try await response.body.collect(upTo: configuration.limits.handshakeBytes)
            traffic?.add(body.readableBytes)
            packets = decoder.read(Array(body.readableBytesView)) + decoder.finish()
        } catch is NIOTooManyBytesError {
            // The answer is a page of another program.
        }
        return (packets.first, Array(packets.dropFirst()), readClocks())
    }

    func receive(_ body: (Decoded<EnginePacket>, ClockReading) async throws -> Bool) async throws {
        while true {
            var isEmpty = true
            guard
                try await poll({ packet, at in
                    isEmpty = isEmpty && packet == .packet(.noop)
                    return try await body(packet, at)
                })
            else { return }
            if isEmpty { try await clock.sleep(for: Self.pause) }
        }
    }

    /// Reads one answer, packet by packet as its parts come. Returns false if `body` did.
    private func poll(_ body: (Decoded<EnginePacket>, ClockReading) async throws -> Bool) async throws -> Bool {
        let response = try await answer(to: request(.GET))
        let at = readClocks()
        var decoder = PolledBody(limits: configuration.limits)
        for try await part in response.body {
            traffic?.add(part.readableBytes)
            for packet in decoder.read(Array(part.readableBytesView)) {
                guard try await body(packet, at) else { return false }
            }
        }
        for packet in decoder.finish() {
            guard try await body(packet, at) else { return false }
        }
        return true
    }

    func send(_ packets: [EnginePacket]) async throws {
        var post = request(.POST)
        post.headers.add(name: "Content-Type", value: "text/plain;charset=UTF-8")
        post.body = .bytes(ByteBuffer(bytes: PolledBody.encode(packets)))
        try await within(timeout, of: clock, else: ConnectionError.late(configuration, "receiving a packet")) {
            [self, post] in
            // Reads "ok" or "OK" to the end, because a connection with an unread answer can't be used again.
            for try await _ in try await answer(to: post).body {}
        }
    }

    private func answer(to request: HTTPClientRequest) async throws -> HTTPClientResponse {
        let response = try await client.execute(request, deadline: .distantFuture)
        guard response.status == .ok else { throw await refusal(response) }
        return response
    }

    private func request(_ method: HTTPMethod) -> HTTPClientRequest {
        let scheme = configuration.isSecure ? "https" : "http"
        let target = configuration.target(.polling, session: session)
        var request = HTTPClientRequest(url: "\(scheme)://\(configuration.peer)\(target)")
        request.method = method
        // Requests no compression, because a small compressed answer could become a large one.
        request.headers.add(name: "Accept-Encoding", value: "identity")
        return request
    }

    private func refusal(_ response: HTTPClientResponse) async -> ConnectionError {
        var words: [UInt8] = []
        if let parts = try? await response.body.first(where: { _ in true }) {
            words = Array(parts.readableBytesView.prefix(Self.errorBytes))
        }
        return ConnectionError(
            code: .other,
            detail: "\(configuration.peer) has ended the session: HTTP \(response.status.code) "
                + String(decoding: words, as: UTF8.self))
    }
}
