import CGlibc
import NIOCore
import NIOPosix
import NIOSSL
import Sessions
import Settings
import XMPPWire

/// The servers of an account: the one of the configuration, or those that the domain names in DNS (RFC 6120 §3.2,
/// XEP-0368).
struct XMPPServers: Sendable {
    private let domain: String
    private let address: XMPPAddress?
    private let tls: TLSOptions
    private let traffic: Traffic?
    /// Returns the records of a name in DNS.
    private let lookUp: @Sendable (_ name: String) async -> [ServiceRecord]

    init(_ settings: XMPPSettings, _ traffic: Traffic?) {
        self.init(
            domain: JID(settings.jid)?.domain ?? "", address: settings.server, tls: settings.tls.options,
            traffic: traffic)
    }

    /// - Parameter address: The server; nil for those in DNS.
    init(
        domain: String, address: XMPPAddress? = nil, tls: TLSOptions, traffic: Traffic? = nil,
        lookUp: @escaping @Sendable (_ name: String) async -> [ServiceRecord] = Self.askDNS
    ) {
        (self.domain, self.address, self.tls, self.traffic) = (domain, address, tls, traffic)
        self.lookUp = lookUp
    }

    /// Returns the servers, the first to try first.
    func find() async -> [XMPPServer] {
        if let address {
            return [XMPPServer(host: address.host, port: address.port, connector: connector(address.security))]
        }
        async let direct = lookUp("_xmpps-client._tcp.\(domain)")
        async let upgraded = lookUp("_xmpp-client._tcp.\(domain)")
        let found = await direct.map { ($0, XMPPAddress.Security.direct) } + upgraded.map { ($0, .startTLS) }
        guard !found.isEmpty else {
            return [XMPPServer(host: domain, port: 5222, connector: connector(.startTLS))]
        }
        // Records of equal priority are tried by weight, the heaviest first.
        return found.sorted { ($0.0.priority, ~$0.0.weight) < ($1.0.priority, ~$1.0.weight) }.map { record, security in
            XMPPServer(host: record.host, port: Int(record.port), connector: connector(security))
        }
    }

    /// The certificate must have the name of the domain, also where DNS names another host (RFC 6120 §13.7.2.1).
    private func connector(_ security: XMPPAddress.Security) -> TCPConnector {
        let domain = domain
        var options = tls
        var upgrade: (@Sendable () -> any UpgradeDialogue)?
        switch security {
        case .none: return TCPConnector(group: .singletonMultiThreadedEventLoopGroup, traffic: traffic)
        case .direct: options.configuration.applicationProtocols = ["xmpp-client"]
        case .startTLS: upgrade = { StartTLS(domain: domain) }
        }
        return TCPConnector(
            group: .singletonMultiThreadedEventLoopGroup, tls: options, certified: domain,
            upgrade: upgrade, traffic: traffic)
    }

    /// Asks DNS. Returns no records if there are none, and if DNS does not answer.
    static func askDNS(_ name: String) async -> [ServiceRecord] {
        let isOver = Signal()
        let answer = WatchedValue<[UInt8]>([])
        // A thread of NIO's pool waits, for up to 30 s; a stop does not.
        NIOThreadPool.singleton.submit { state in
            defer { isOver.set() }
            guard case .active = state else { return }
            // 64 KiB is the largest answer of DNS.
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let (internet, services): (Int32, Int32) = (1, 33)
            let count = res_query(name, internet, services, &bytes, Int32(bytes.count))
            answer.change(to: Array(bytes.prefix(max(0, Int(count)))))
        }
        await isOver.wait()
        return ServiceRecord.all(in: answer.value) ?? []
    }
}

/// The dialogue before TLS on a port that begins in plain text (RFC 6120 §5).
struct StartTLS: UpgradeDialogue {
    private let domain: String
    private let splitter = StanzaSplitter()
    private var isAsked = false

    init(domain: String) { self.domain = domain }

    var opening: [UInt8] {
        let login = XMPPLogin(
            domain: domain, resource: "",
            credentials: XMPPCredentials(user: "", password: nil, hasCertificate: false, nonce: "", allowsPlain: false))
        return login.header
    }

    mutating func take(_ bytes: [UInt8]) throws(ConnectionError) -> (send: [UInt8], isOver: Bool) {
        let (units, failure) = splitter.split(bytes)
        for unit in units {
            guard case .stanza(let stanza) = unit, case .success(let element) = stanza.content else {
                if case .opened = unit { continue }
                throw ConnectionError(code: .other, detail: "the server closed the stream before TLS")
            }
            if element.is("features", XMPPNamespace.streams), !isAsked {
                guard element.child("starttls", XMPPNamespace.startTLS) != nil else {
                    throw ConnectionError(
                        code: .other,
                        detail: "the server offers no TLS on this port; a password is not sent without TLS")
                }
                isAsked = true
                return (XMPPElement("starttls", XMPPNamespace.startTLS, [:], []).encoded, false)
            }
            if isAsked, element.is("proceed", XMPPNamespace.startTLS) { return ([], true) }
            throw ConnectionError(code: .other, detail: "the server refused TLS: \(element.errorWords)")
        }
        if let failure { throw ConnectionError(code: .other, detail: failure) }
        return ([], false)
    }
}
