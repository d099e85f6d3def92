import Bytes
import Crypto
import FoundationEssentials
import Glibc

/// The public keys to which files are encrypted, as `age` takes them. Whoever has the secret key of one of them can
/// decrypt the files.
package struct AgeRecipients: Sendable, Hashable {
    /// `age1…`, `ssh-ed25519 …` or `ssh-rsa …`, in order and once each.
    let keys: [String]

    /// The largest file of recipients, in bytes: some thousand keys.
    private static let largestFile: Int64 = 1 << 20

    /// - Throws: ``ArchiveError`` with `age` for a text that is not a public key.
    package init?(_ keys: [String]) throws(ArchiveError) {
        let keys = Set(keys.map(\.trimmed)).sorted()
        for key in keys { try Self.requirePublic(key) }
        guard !keys.isEmpty else { return nil }
        self.keys = keys
    }

    /// Reads recipients from files with a key in each line, in which empty lines and lines that begin with `#` don't
    /// count.
    package init?(_ keys: [String], files: [String]) throws(ArchiveError) {
        try self.init(keys + Self.read(files))
    }

    private static func read(_ files: [String]) throws(ArchiveError) -> [String] {
        var keys: [String] = []
        for path in files {
            let size = FolderEntries.size(of: path)
            guard let size, size <= largestFile, let bytes = FileManager.default.contents(atPath: path) else {
                throw ArchiveError(
                    code: .age, detail: "can't read the recipients file \(path)",
                    hint: "name a file with one public key a line")
            }
            let found = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
                .map { $0.trimmed }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
            guard !found.isEmpty else {
                throw ArchiveError(
                    code: .age, detail: "the recipients file \(path) has no public key",
                    hint: "name a file with one public key a line")
            }
            keys += found
        }
        return keys
    }

    /// Reports a secret key without showing it.
    private static func requirePublic(_ key: String) throws(ArchiveError) {
        let isSecret = key.uppercased().hasPrefix("AGE-") || key.contains("PRIVATE KEY")
        guard !isSecret else {
            throw ArchiveError(
                code: .age, detail: "a secret key in place of a public one",
                hint: "give its public key, which \"age-keygen -y FILE\" shows, and keep the secret one elsewhere")
        }
        guard ["age1", "ssh-ed25519 ", "ssh-rsa "].contains(where: key.hasPrefix), !key.contains("\0") else {
            throw ArchiveError(
                code: .age, detail: "\"\(key)\" is not a public key",
                hint: "give a key that begins with age1, ssh-ed25519 or ssh-rsa")
        }
    }

    /// Identifies the set of keys: 64 hexadecimal digits.
    package var digest: String { SHA256.hash(data: Data(keys.joined(separator: "\n").utf8)).hexadecimal }

    /// Checks that the program is there and takes all keys, before a long work needs it.
    ///
    /// - Throws: ``ArchiveError`` with `age`.
    package func check() throws {
        try AgeEncryption(to: self) { _ in }.finish()
    }
}

/// The files with the secret keys that decrypt, as `age` takes them: its own identity files, or ssh private keys.
package struct AgeIdentities: Sendable, Hashable {
    package let files: [String]

    package init(files: [String]) { self.files = files }

    /// The identity file that the environment names, if any.
    package static let environment = AgeIdentities(
        files: ProcessInfo.processInfo.environment["SCROLLBACK_IDENTITY_FILE"].map { $0.isEmpty ? [] : [$0] } ?? [])

    package var isEmpty: Bool { files.isEmpty }

    /// - Throws: ``ArchiveError`` with `encrypted` if there is no identity file, or one can't be read.
    package func require(for path: String) throws(ArchiveError) {
        guard !isEmpty else { throw ArchiveError(code: .encrypted, detail: "\(path) is encrypted") }
        for file in files where access(file, R_OK) != 0 {
            throw ArchiveError(
                code: .encrypted, detail: "can't read the identity file \(file): \(String(cString: strerror(errno)))")
        }
    }
}
