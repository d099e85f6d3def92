/// The trusted certificates of an account, and its own certificate, in PEM. Its description does not show the key.
package struct CertificateTrust: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The trusted authorities; nil for the machine's.
    package var authorities: [UInt8]?
    /// The SHA-256 of the one trusted certificate; nil to verify certificates.
    package var fingerprint: [UInt8]?
    /// Our own certificate, with its chain.
    package var certificate: [UInt8]?
    package var key: [UInt8]?

    package var description: String { "certificates" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Reads the keys. Leaves every problem in `table`.
    ///
    /// - Parameter schemes: The beginnings of addresses with and without TLS, such as `ircs://` and `irc://`.
    package init(_ table: inout TableReader, isSecure: Bool, schemes: (secure: String, plain: String)) {
        authorities = table.pem(.authorities)
        fingerprint = Self.fingerprint(&table)
        certificate = table.pem(.certificate)
        key = table.pem(.key)
        guard !table.hasProblem(with: "ca_file", "fingerprint", "certificate_file", "key_file") else { return }
        if (certificate == nil) != (key == nil) {
            table.reportMissing(
                certificate == nil ? "certificate_file" : "key_file", expected: "both certificate_file and key_file")
        }
        if authorities != nil, fingerprint != nil {
            table.report("fingerprint", expected: "ca_file or fingerprint", found: "both")
        }
        if !isSecure, self != CertificateTrust() {
            table.report("server", expected: "\(schemes.secure) (certificates need TLS)", found: schemes.plain)
        }
    }

    private init() {}

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
