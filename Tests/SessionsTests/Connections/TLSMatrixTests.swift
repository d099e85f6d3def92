import AsyncHTTPClient
import ChatModel
import Foundation
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import SLPWire
import TestSupport
import Testing
import XMPPWire

@testable import IRC
@testable import Matrix
@testable import SLP
@testable import Sessions
@testable import XMPP

/// The peers that each kind of TLS connection accepts: IRC, HTTP of workspaces, the WebSocket beside it, HTTP of Matrix,
/// XMPP.
@Suite(.enabled(if: Certificate.isAvailable, "needs openssl"), .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct TLSMatrixTests {
    enum Network: String, CaseIterable, Sendable { case irc, http, webSocket, homeserver, xmpp }

    @Test(arguments: Network.allCases)
    func
        `a server is talked to only when its certificate is valid, is for the host that was given, and TLS is not too old`(
            network: Network
        ) async throws
    {
        let shelf = try await TLSCertificates()
        for tls in TLSCase.allCases {
            let server = try await tls.server(shelf)
            defer { server.stop() }
            let trouble = try await trouble(network, tls.host, server, ca: shelf.root.file)
            if let refusal = tls.refusal {
                #expect(trouble?.contains(refusal) == true, "\(tls): \(trouble ?? "talked to")")
                #expect(server.bytes == 0, "\(tls): nothing is sent to it")
            } else {
                #expect(trouble == nil, "\(tls)")
                #expect(server.bytes > 0, "\(tls)")
            }
        }
    }

    @Test func `a pinned certificate is trusted for any name, and no other one is`() async throws {
        let shelf = try await TLSCertificates()
        let other = try await Certificate("irc.example.net")
        for (server, pin, isRight) in [
            (shelf.own, shelf.own, true), (other, other, true), (shelf.own, other, false), (other, shelf.own, false),
        ] {
            var options = TLSOptions()
            options.fingerprint = stride(from: 0, to: 64, by: 2).map { place in
                UInt8(pin.fingerprint.dropFirst(place).prefix(2), radix: 16) ?? 0
            }
            let tls = try await TLSServer.start([server.file], key: server.keyFile)
            defer { tls.stop() }
            let trouble = await irc("localhost", tls.port, options)
            #expect(trouble == nil ? isRight : !isRight && trouble?.contains("does not match fingerprint") == true)
            #expect((tls.bytes > 0) == isRight)
        }
    }

    @Test func `an error about a hang-up during the handshake asks about the port`() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(HangUp()) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let trouble = await irc("localhost", server.localAddress?.port ?? 0, TLSOptions())
        #expect(trouble?.contains("does the port speak TLS?") == true, "\(trouble ?? "talked to")")
        try await server.close()
    }

    @Test(arguments: [("irc.example.net", true), ("a.irc.example.net", false), ("example.net", false)])
    func `a wildcard stands for one label, for sockets and for HTTP`(host: String, isRight: Bool) async throws {
        let root = try await CertificateAuthority()
        let issued = try await root.issue(["DNS:*.example.net"])
        let server = try await TLSServer.start([issued.file], key: issued.keyFile)
        defer { server.stop() }
        var tls = TLSOptions().configuration
        tls.trustRoots = .file(root.file)
        var http = HTTPClient.Configuration(tls, host: host)
        http.dnsOverride = [host: "127.0.0.1"]
        let answer = try? await HTTPClient.scoped(group: .singletonMultiThreadedEventLoopGroup, configuration: http) {
            try await $0.execute(HTTPClientRequest(url: "https://\(host):\(server.port)/"), timeout: .seconds(30))
        }
        #expect((answer != nil) == isRight)
        let handlers = try TLSOptions(tls).handlers(for: host)
        let handshake = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Void.self)
        let channel = try await Dialer(group: .singletonMultiThreadedEventLoopGroup)
            .dial(host: "127.0.0.1", port: server.port) { channel in
                try channel.pipeline.syncOperations.addHandlers(handlers(), Handshake(handshake))
                return channel
            }
        let hasShaken: Void? = try? await handshake.futureResult.get()
        #expect((hasShaken != nil) == isRight)
        try? await channel.close()
    }

    /// Nil where it was talked to.
    private func trouble(_ network: Network, _ host: String, _ server: TLSServer, ca: String) async throws -> String? {
        let pem = Array(try Data(contentsOf: URL(fileURLWithPath: ca)))
        let authorities = try #require(TrustedAuthorities(pem: pem))
        var options = TLSOptions()
        options.configuration.trust(authorities)
        switch network {
        case .irc: return await irc(host, server.port, options)
        case .http: return try await http(host, server.port, authorities)
        case .webSocket: return try await webSocket(host, server.port, options.configuration)
        case .homeserver: return try await homeserver(host, server.port, options.configuration)
        case .xmpp: return await xmpp(host, server.port, options)
        }
    }

    private func irc(_ host: String, _ port: Int, _ options: TLSOptions) async -> String? {
        let connector = TCPConnector(group: .singletonMultiThreadedEventLoopGroup, tls: options)
        return await talk(connector, host, port, "PASS secret\r\n")
    }

    /// The server in DNS has another name than the domain, for which the certificate must be.
    private func xmpp(_ host: String, _ port: Int, _ options: TLSOptions) async -> String? {
        let record = ServiceRecord(priority: 1, weight: 1, port: UInt16(port), host: "127.0.0.1")
        let servers = await XMPPServers(domain: host, tls: options) { name in
            name.hasPrefix("_xmpps-client.") ? [record] : []
        }
        .find()
        guard let server = servers.first else { return "no server" }
        return await talk(server.connector, server.host, server.port, "<?xml version='1.0'?>\r\n\r\n")
    }

    private func talk(_ connector: any Connector, _ host: String, _ port: Int, _ words: String) async -> String? {
        do throws(ConnectionError) {
            let result = try await connector.withConnection(host: host, port: port) { connection in
                do throws(ConnectionError) {
                    // What can't be written to can't be read either, which says why.
                    try? await connection.send(Array(words.utf8))
                    return try await connection.forEachRead { _ in "" } ?? "closed"
                } catch {
                    return error.detail
                }
            }
            return result.isEmpty ? nil : result
        } catch {
            return error.detail
        }
    }

    private func http(_ host: String, _ port: Int, _ authorities: TrustedAuthorities) async throws -> String? {
        let credentials = SLPCredentials(appKey: "key", email: "alice@example.net", password: "secret")
        let origin = try #require(HTTPOrigin("https://\(host):\(port)"))
        var configuration = SLPConfiguration(server: origin, credentials: credentials, generation: .two)
        configuration.authorities = authorities
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let error = await #expect(throws: CallError.self) {
            try await SLPClient.with(configuration, logger: quiet) { try await $0.workspaces() }
        }
        // The server answers, but not as such a service does.
        return error?.code == .unexpected ? nil : error?.detail
    }

    private func homeserver(_ host: String, _ port: Int, _ tls: TLSConfiguration) async throws -> String? {
        let origin = try #require(HTTPOrigin("https://\(host):\(port)"))
        var configuration = MatrixListenerConfiguration(
            server: origin, credentials: MatrixCredentials(user: "alice", token: "secret"))
        (configuration.tls, configuration.tries) = (tls, 1)
        let quiet = ListenerTools(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let error = await #expect(throws: CallError.self) {
            try await MatrixClient.with(
                configuration, traffic: nil, tools: quiet, group: .singletonMultiThreadedEventLoopGroup
            ) { try await $0.whoami() }
        }
        // The server answers, but not as a homeserver does.
        return error?.code == .unexpected ? nil : error?.detail
    }

    private func webSocket(_ host: String, _ port: Int, _ tls: TLSConfiguration) async throws -> String? {
        var configuration = SocketIOConfiguration(host: host, port: port, isSecure: true)
        configuration.tls = tls
        let dialer = WebSocketDialer(
            dialer: Dialer(group: .singletonMultiThreadedEventLoopGroup), configuration: configuration,
            readClocks: { .now() }, traffic: nil)
        do {
            let opened = try await dialer.open(session: nil)
            // The server answers, but with no WebSocket.
            return opened == nil ? nil : "a WebSocket"
        } catch {
            return ConnectionError(error, configuration).detail
        }
    }
}

/// Closes a connection at its first bytes.
private final class HangUp: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.close(promise: nil)
    }
}

/// Tells whether a handshake succeeds.
private final class Handshake: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let result: EventLoopPromise<Void>

    init(_ result: EventLoopPromise<Void>) {
        self.result = result
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { result.succeed() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        result.fail(error)
    }
}
