import ChatModel
import Foundation
import NIOSSL
import Sessions
import Settings
import TestSupport
import Testing
import XMPPWire

@testable import XMPP

/// The servers to which an account connects, and the logins that they accept.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct XMPPConnectingTests {
    private static func record(_ host: String, _ port: Int, priority: UInt16, weight: UInt16 = 0) -> ServiceRecord {
        ServiceRecord(priority: priority, weight: weight, port: UInt16(port), host: host)
    }

    private static func servers(
        _ domain: String = "example.org", direct: [ServiceRecord] = [], upgraded: [ServiceRecord] = [],
        tls: TLSOptions = TLSOptions()
    ) async -> [XMPPServer] {
        await XMPPServers(domain: domain, tls: tls) { name in
            switch name {
            case "_xmpps-client._tcp.\(domain)": direct
            case "_xmpp-client._tcp.\(domain)": upgraded
            default: []
            }
        }
        .find()
    }

    @Test func `servers of both kinds are tried by priority, and then by weight`() async {
        let found = await Self.servers(
            direct: [Self.record("a", 443, priority: 20), Self.record("b", 5223, priority: 5)],
            upgraded: [
                Self.record("c", 5222, priority: 10, weight: 1), Self.record("d", 5222, priority: 10, weight: 9),
            ])
        #expect(found.map { "\($0.host):\($0.port)" } == ["b:5223", "d:5222", "c:5222", "a:443"])
    }

    @Test func `without records, the domain is tried at port 5222`() async {
        #expect(await Self.servers().map { "\($0.host):\($0.port)" } == ["example.org:5222"])
    }

    private func tls(trusting authority: CertificateAuthority) throws -> TLSOptions {
        let pem = try #require(FileManager.default.contents(atPath: authority.file))
        var options = TLSOptions()
        options.configuration.trust(try #require(TrustedAuthorities(pem: Array(pem))))
        return options
    }

    private func findings(
        _ secrets: XMPPSecrets, at servers: [XMPPServer], _ change: (inout XMPPConfiguration) -> Void = { _ in }
    ) async -> [ConnectionFinding] {
        var configuration = XMPPConfiguration(account: JID(local: "me", domain: "localhost"), secrets: secrets)
        change(&configuration)
        return await XMPPTrial.findings(configuration, at: servers, clock: ContinuousClock())
    }

    @Test(
        .enabled(if: JabberServer.Kind.prosody.isAvailable, "needs prosody, which .ci/fetch-tools fetches"),
        .enabled(if: Certificate.isAvailable, "needs openssl"))
    func `the next server in DNS is tried when the first one is down`() async throws {
        let authority = try await CertificateAuthority()
        let server = try await JabberServer.start(.prosody, certificate: authority.issue(["DNS:localhost"]))
        let servers = await Self.servers(
            "localhost", direct: [Self.record("127.0.0.1", 1, priority: 1)],
            upgraded: [Self.record("127.0.0.1", server.port, priority: 2)], tls: try tls(trusting: authority))
        let found = await findings(XMPPSecrets(password: JabberServer.password), at: servers)
        #expect(found.first == ConnectionFinding(.fact, "logged in as me@localhost"), "\(found)")
    }

    @Test(
        .enabled(if: JabberServer.Kind.ejabberd.isAvailable, "needs ejabberd, which .ci/fetch-tools fetches"),
        .enabled(if: Certificate.isAvailable, "needs openssl"))
    func `a certificate for the account's address is a login without a password`() async throws {
        let authority = try await CertificateAuthority()
        let server = try await JabberServer.start(
            .ejabberd, certificate: authority.issue(["DNS:localhost"]), clientsOf: authority)
        let records = [Self.record("127.0.0.1", server.port, priority: 1)]
        func found(as name: String?) async throws -> [ConnectionFinding] {
            var options = try tls(trusting: authority)
            if let name {
                // The address in a certificate (RFC 6120 §13.7.1.4).
                let own = try await authority.issue(["otherName:1.3.6.1.5.5.7.8.5;UTF8:\(name)@localhost"])
                options.configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(own.file)
                    .map { .certificate($0) }
                options.configuration.privateKey = .privateKey(
                    try NIOSSLPrivateKey(file: own.keyFile, format: .pem))
            }
            let servers = await Self.servers("localhost", upgraded: records, tls: options)
            return await findings(XMPPSecrets(), at: servers) { $0.hasCertificate = name != nil }
        }
        #expect(try await found(as: "me").first == ConnectionFinding(.fact, "logged in as me@localhost"))
        #expect(try await found(as: nil).first?.kind == .failure)
        #expect(try await found(as: "mallory").first?.text != "logged in as me@localhost")
    }
}
