import Bytes
import Files
import FoundationEssentials
import Settings

/// The secret of the archive's owner. The address that `serve` prints contains it, and the browser stores it as a
/// cookie.
///
/// The data folder keeps it, so that the address and the cookie stay valid after a restart. If the folder can't be
/// written, each start makes another secret.
struct OwnerSecret: Sendable {
    /// 43 characters of base64url: 256 random bits.
    let text: String

    static let fileName = "serve.secret"

    /// Reads the secret of a data folder, or makes one, on a thread that may wait. Servers that start at the same time get the same secret.
    init(folder: String) {
        let file = OwnersFile(path: folder + "/" + Self.fileName, lock: folder + "/" + TokenFile.lockName)
        if let known = Self.read(file) {
            text = known
        } else {
            text = (try? Self.make(file)) ?? SecretText.make()
        }
    }

    /// Compares hashes, so that the time of a comparison reveals nothing about the secret.
    func matches(_ given: String) -> Bool {
        SecretText.sha256(given) == SecretText.sha256(text)
    }

    private static func read(_ file: OwnersFile) -> String? {
        guard let content = try? file.read(), content.isPrivate, content.isOwn else { return nil }
        let text = String(decoding: content.bytes, as: UTF8.self).trimmed
        return SecretText.isSecret(text) ? text : nil
    }

    /// Replaces a file that is missing, damaged, or readable by others.
    private static func make(_ file: OwnersFile) throws -> String {
        let lock = try file.lock()
        defer { withExtendedLifetime(lock) {} }
        if let known = read(file) { return known }
        let text = SecretText.make()
        try file.replace(with: Array((text + "\n").utf8))
        return text
    }
}
