import Bytes
import FoundationEssentials
import Glibc

/// The files in PEM that an account may have.
package enum PEMKind: Sendable {
    /// The authorities to trust besides the machine's own.
    case authorities
    /// The account's own certificate, with its chain.
    case certificate
    /// The key of that certificate, which only its owner may read.
    case key

    /// The key of the configuration.
    package var key: String {
        switch self {
        case .authorities: "ca_file"
        case .certificate: "certificate_file"
        case .key: "key_file"
        }
    }

    fileprivate var expected: String {
        switch self {
        case .authorities: "certificates in PEM (-----BEGIN CERTIFICATE-----)"
        case .certificate: "a certificate in PEM (-----BEGIN CERTIFICATE-----)"
        case .key: "a key in PEM (-----BEGIN PRIVATE KEY-----)"
        }
    }
}

extension TableReader {
    /// 4 MiB. All authorities of a machine have 250 KB.
    private static let maximumPEM = 4 * 1024 * 1024
    /// The beginning of what is in a file; a label follows, of which keys have several (RFC 7468 §2).
    private static let beginningPEM = "-----BEGIN "

    /// Reads a file in PEM; nil if the key is not set. Reports every problem but those of the content
    /// (``checkPEM(_:_:read:)``).
    package mutating func pem(_ kind: PEMKind) -> [UInt8]? {
        let key = kind.key
        guard let name = string(key) else { return nil }
        let path = resolve(name)
        guard let bytes = try? FileBeginning.read(path, limit: Self.maximumPEM) else {
            report(key, expected: "a readable file", found: Self.quote(path) + Self.unreadable(path))
            return nil
        }
        var status = stat()
        if kind == .key, stat(path, &status) != 0 || status.st_mode & 0o077 != 0 {
            report(
                key, expected: "a file that only its owner can read (chmod 600)",
                found: "\(Self.quote(path)), which other users may access")
            return nil
        }
        guard String(decoding: bytes, as: UTF8.self).contains(Self.beginningPEM) else {
            reportInvalid(kind)
            return nil
        }
        return bytes
    }

    /// Checks the content of a file that ``pem(_:)`` read, and reports it if it is not valid.
    ///
    /// - Parameter read: Returns nil for bytes that are not valid. A program without TLS can't check them.
    /// - Returns: The value of `read`.
    package mutating func checkPEM<Value>(_ kind: PEMKind, _ bytes: [UInt8]?, read: ([UInt8]) -> Value?) -> Value? {
        guard let bytes else { return nil }
        let value = read(bytes)
        if value == nil { reportInvalid(kind) }
        return value
    }

    private mutating func reportInvalid(_ kind: PEMKind) {
        let path = resolve(string(kind.key) ?? "")
        report(kind.key, expected: kind.expected, found: "\(Self.quote(path)), which is not valid")
    }
}
