import CDispatch
import Foundation
import Service

/// The secret of the archive's owner. The address that `serve` prints contains it, and the browser stores it as a
/// cookie.
///
/// The data folder keeps it, so that the address and the cookie stay valid after a restart. If the folder can't be
/// written, each start makes another secret.
struct OwnerSecret: Sendable {
    /// 43 characters of base64url: 256 random bits.
    let text: String

    static let fileName = "serve.secret"

    init(folder: String) {
        let path = folder + "/" + Self.fileName
        text = Self.read(path) ?? Self.create(path)
    }

    /// Compares hashes, so that the time of a comparison reveals nothing about the secret.
    func matches(_ given: String) -> Bool {
        SecretText.sha256(given) == SecretText.sha256(text)
    }

    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let text = String(decoding: bytes[..<count], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return SecretText.isSecret(text) ? text : nil
    }

    private static func create(_ path: String) -> String {
        let text = SecretText.make()
        // A file that others can read is replaced.
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return text }
        defer { close(descriptor) }
        let line = Array((text + "\n").utf8)
        if write(descriptor, line, line.count) != line.count { unlink(path) }
        return text
    }
}
