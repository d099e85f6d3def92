import Foundation
import Listeners

extension TableReader {
    /// 4 MiB. All authorities of a machine have 250 KB.
    private static let maximumPEM = 4 * 1024 * 1024

    /// Reads `ca_file`: the authorities to trust besides the machine's own; nil if it is not set.
    mutating func authorities() -> TrustedAuthorities? {
        pem("ca_file", expected: "certificates in PEM (-----BEGIN CERTIFICATE-----)") { TrustedAuthorities(pem: $0) }
    }

    /// Reads a file in PEM; nil if the key is not set. Reports every problem.
    ///
    /// - Parameter isSecret: True for a file that only its owner may read.
    mutating func pem<Value>(
        _ key: String, expected: String, isSecret: Bool = false, _ read: ([UInt8]) -> Value?
    ) -> Value? {
        guard let name = string(key) else { return nil }
        let path = resolve(name)
        guard let file = FileHandle(forReadingAtPath: path),
            let bytes = try? file.read(upToCount: Self.maximumPEM) ?? Data()
        else {
            report(key, expected: "a readable file", found: Self.quote(path) + Self.unreadable(path))
            return nil
        }
        var status = stat()
        if isSecret, stat(path, &status) != 0 || status.st_mode & 0o077 != 0 {
            report(
                key, expected: "a file that only its owner can read (chmod 600)",
                found: "\(Self.quote(path)), which other users may access")
            return nil
        }
        guard let value = read(Array(bytes)) else {
            report(key, expected: expected, found: "\(Self.quote(path)), which is not valid")
            return nil
        }
        return value
    }
}
