import ChatModel
import Foundation
import Listeners
import NIOSSL

/// The trusted certificates of an account of `irc`, and its own certificate.
struct IRCTrust: Sendable, Hashable {
    /// The trusted authorities; nil for the machine's.
    var authorities: TrustedAuthorities?
    /// The SHA-256 of the one trusted certificate; nil to verify certificates.
    var fingerprint: [UInt8]?
    /// Our own certificate, with its chain.
    var certificate: [NIOSSLCertificate]?
    var key: NIOSSLPrivateKey?

    /// Reads the keys. Leaves every problem in `table`.
    init(_ table: inout TableReader, isSecure: Bool) {
        authorities = table.authorities()
        fingerprint = Self.fingerprint(&table)
        certificate = table.pem("certificate_file", expected: "a certificate in PEM (-----BEGIN CERTIFICATE-----)") {
            (try? NIOSSLCertificate.fromPEMBytes($0)).flatMap { $0.isEmpty ? nil : $0 }
        }
        key = table.pem("key_file", expected: "a key in PEM (-----BEGIN PRIVATE KEY-----)", isSecret: true) {
            try? NIOSSLPrivateKey(bytes: $0, format: .pem)
        }
        guard !table.hasProblem(with: "ca_file", "fingerprint", "certificate_file", "key_file") else { return }
        if (certificate == nil) != (key == nil) {
            table.reportMissing(
                certificate == nil ? "certificate_file" : "key_file", expected: "both certificate_file and key_file")
        }
        if certificate != nil, key != nil, !isKeyOfCertificate {
            table.report(
                "key_file", expected: "the key of the certificate in certificate_file", found: "the key of another one")
        }
        if authorities != nil, fingerprint != nil {
            table.report("fingerprint", expected: "ca_file or fingerprint", found: "both")
        }
        if !isSecure, self != IRCTrust() {
            table.report("server", expected: "ircs:// (certificates need TLS)", found: "irc://")
        }
    }

    private init() {}

    /// False if TLS refuses our own certificate with our key.
    private var isKeyOfCertificate: Bool {
        var configuration = TLSConfiguration.makeClientConfiguration()
        // Reads no authorities, which takes milliseconds.
        configuration.trustRoots = .certificates([])
        configuration.certificateChain = (certificate ?? []).map { .certificate($0) }
        configuration.privateKey = key.map { .privateKey($0) }
        return (try? NIOSSLContext(configuration: configuration)) != nil
    }

    /// Returns a warning about the time in which our own certificate is valid; nil if it is valid now. Some servers
    /// accept it at any time, because they compare only its fingerprint.
    ///
    /// - Parameter now: Seconds since 1970.
    func validityWarning(now: Int) -> String? {
        guard let leaf = certificate?.first else { return nil }
        if leaf.notValidAfter < now {
            return
                "certificate_file: the certificate expired on \(Self.day(leaf.notValidAfter)), so servers may refuse it"
        }
        if leaf.notValidBefore > now {
            return
                "certificate_file: the certificate is not valid before \(Self.day(leaf.notValidBefore)), so servers may "
                + "refuse it"
        }
        return nil
    }

    /// - Returns: The day in UTC, such as `2026-11-21`.
    private static func day(_ seconds: Int) -> String {
        String(
            Timestamp(microseconds: Int64(seconds).multipliedReportingOverflow(by: 1_000_000).partialValue)
                .description.prefix { $0 != "T" })
    }

    /// The options of a connection.
    var options: TLSOptions {
        var options = TLSOptions()
        if let authorities { options.configuration.trust(authorities) }
        options.fingerprint = fingerprint
        if let certificate, let key {
            options.configuration.certificateChain = certificate.map { .certificate($0) }
            options.configuration.privateKey = .privateKey(key)
        }
        return options
    }

    /// Reads 64 hexadecimal digits, with or without the colons of `openssl x509 -fingerprint -sha256`.
    private static func fingerprint(_ table: inout TableReader) -> [UInt8]? {
        guard let text = table.string("fingerprint") else { return nil }
        let digits = text.replacing(":", with: "")
        guard digits.wholeMatch(of: /[0-9A-Fa-f]{64}/) != nil else {
            table.report(
                "fingerprint", expected: "the 64 hexadecimal digits of a certificate's SHA-256",
                found: TableReader.quote(text))
            return nil
        }
        var (bytes, rest) = ([UInt8](), digits[...])
        while !rest.isEmpty {
            bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
