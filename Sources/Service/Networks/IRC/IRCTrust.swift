import Foundation
import Listeners
import NIOSSL

/// The trusted certificates of an account of `irc`, and its own certificate.
struct IRCTrust: Sendable, Hashable {
    /// The trusted authorities; nil for the machine's.
    var authorities: SLPAuthorities?
    /// The SHA-256 of the one trusted certificate; nil to verify certificates.
    var fingerprint: [UInt8]?
    /// Our own certificate, with its chain.
    var certificate: [NIOSSLCertificate]?
    var key: NIOSSLPrivateKey?

    /// 4 MiB. All authorities of a machine have 250 KB.
    private static let maximumBytes = 4 * 1024 * 1024

    /// Reads the keys. Leaves every problem in `table`.
    init(_ table: inout TableReader, isSecure: Bool) {
        authorities = Self.pem("ca_file", "certificates in PEM (-----BEGIN CERTIFICATE-----)", &table) {
            SLPAuthorities(pem: $0)
        }
        fingerprint = Self.fingerprint(&table)
        certificate = Self.pem("certificate_file", "a certificate in PEM (-----BEGIN CERTIFICATE-----)", &table) {
            (try? NIOSSLCertificate.fromPEMBytes($0)).flatMap { $0.isEmpty ? nil : $0 }
        }
        key = Self.pem("key_file", "a key in PEM (-----BEGIN PRIVATE KEY-----)", &table, isSecret: true) {
            try? NIOSSLPrivateKey(bytes: $0, format: .pem)
        }
        guard !table.hasProblem(with: "ca_file", "fingerprint", "certificate_file", "key_file") else { return }
        if (certificate == nil) != (key == nil) {
            table.reportMissing(
                certificate == nil ? "certificate_file" : "key_file", expected: "both certificate_file and key_file")
        }
        if authorities != nil, fingerprint != nil {
            table.report("fingerprint", expected: "ca_file or fingerprint", found: "both")
        }
        if !isSecure, self != IRCTrust() {
            table.report("server", expected: "ircs:// (certificates need TLS)", found: "irc://")
        }
    }

    private init() {}

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

    private static func pem<Value>(
        _ key: String, _ expected: String, _ table: inout TableReader, isSecret: Bool = false,
        _ read: ([UInt8]) -> Value?
    ) -> Value? {
        guard let name = table.string(key) else { return nil }
        let path = table.resolve(name)
        guard let file = FileHandle(forReadingAtPath: path),
            let bytes = try? file.read(upToCount: maximumBytes) ?? Data()
        else {
            table.report(
                key, expected: "a readable file", found: TableReader.quote(path) + TableReader.unreadable(path))
            return nil
        }
        var status = stat()
        if isSecret, stat(path, &status) != 0 || status.st_mode & 0o077 != 0 {
            table.report(
                key, expected: "a file that only its owner can read (chmod 600)",
                found: "\(TableReader.quote(path)), which other users may access")
            return nil
        }
        guard let value = read(Array(bytes)) else {
            table.report(key, expected: expected, found: "\(TableReader.quote(path)), which is not valid")
            return nil
        }
        return value
    }
}
