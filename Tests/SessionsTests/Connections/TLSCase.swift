import NIOSSL
import TestSupport

/// A server's certificate and versions, and whether a client may talk to it.
enum TLSCase: String, CaseIterable, Sendable {
    case rightName, otherCase, oneOfSeveralNames, addressForAddress
    case wrongName, wildcardForOneLabel, addressForName, nameForAddress, commonNameAlone, noNameAtAll
    case selfSigned, unknownAuthority, expired, notYetValid
    case chain, chainWithoutIntermediate
    case tls10, tls11, tls12, tls13

    /// As the client knows the server.
    var host: String {
        switch self {
        case .addressForAddress, .nameForAddress: "127.0.0.1"
        case .otherCase: "LOCALHOST"
        default: "localhost"
        }
    }

    /// Nil where the client talks to it, else what it says of it.
    var refusal: String? {
        switch self {
        case .rightName, .otherCase, .oneOfSeveralNames, .addressForAddress, .chain, .tls12, .tls13: nil
        case .wrongName, .wildcardForOneLabel, .addressForName, .nameForAddress: "is for another name"
        case .commonNameAlone: "only as the common name"
        // NIOSSL's own verdict comes first.
        case .noNameAtAll: "is for another name"
        case .selfSigned, .unknownAuthority, .expired, .notYetValid, .chainWithoutIntermediate:
            "not signed by an authority that"
        case .tls10, .tls11: "TLS 1.1 or older"
        }
    }

    private var versions: (lowest: TLSVersion, highest: TLSVersion) {
        switch self {
        case .tls10: (.tlsv1, .tlsv1)
        case .tls11: (.tlsv1, .tlsv11)
        case .tls12: (.tlsv1, .tlsv12)
        default: (.tlsv12, .tlsv13)
        }
    }

    func server(_ shelf: TLSCertificates) async throws -> TLSServer {
        let (chain, key) = try await certificate(shelf)
        return try await TLSServer.start(chain, key: key, versions: versions)
    }

    private func certificate(_ shelf: TLSCertificates) async throws -> (chain: [String], key: String) {
        let issued =
            switch self {
            case .rightName, .otherCase, .tls10, .tls11, .tls12, .tls13: shelf.localhost
            case .oneOfSeveralNames:
                try await shelf.root.issue(["DNS:irc.example.net", "DNS:localhost", "IP:192.0.2.1"])
            case .addressForAddress, .addressForName: shelf.address
            case .nameForAddress: shelf.localhost
            case .wrongName: try await shelf.root.issue(["DNS:irc.example.net"])
            case .wildcardForOneLabel: try await shelf.root.issue(["DNS:*", "DNS:*.localhost", "DNS:l*"])
            case .commonNameAlone: try await shelf.root.issue([], commonName: "localhost")
            case .noNameAtAll: try await shelf.root.issue([])
            case .unknownAuthority: try await shelf.stranger.issue(["DNS:localhost"])
            case .expired:
                try await shelf.root.issue(["DNS:localhost"], dates: ("20200101000000Z", "20200201000000Z"))
            case .notYetValid:
                try await shelf.root.issue(["DNS:localhost"], dates: ("20480101000000Z", "20490101000000Z"))
            case .selfSigned: CertificateAuthority.Issued(file: shelf.own.file, keyFile: shelf.own.keyFile)
            case .chain, .chainWithoutIntermediate: try await shelf.intermediate.issue(["DNS:localhost"])
            }
        return (self == .chain ? [issued.file, shelf.intermediate.file] : [issued.file], issued.keyFile)
    }
}

/// The certificates that several cases share.
struct TLSCertificates: Sendable {
    let root: CertificateAuthority
    let stranger: CertificateAuthority
    let intermediate: CertificateAuthority
    let localhost: CertificateAuthority.Issued
    let address: CertificateAuthority.Issued
    let own: Certificate

    init() async throws {
        root = try await CertificateAuthority()
        stranger = try await CertificateAuthority("Authority of somebody else")
        intermediate = try await root.intermediate()
        localhost = try await root.issue(["DNS:localhost"])
        address = try await root.issue(["IP:127.0.0.1"])
        own = try await Certificate()
    }
}
