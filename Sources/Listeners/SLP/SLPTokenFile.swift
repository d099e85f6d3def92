import Dispatch
import Foundation
import SLPWire

/// An account's tokens, kept between runs in a file that only its owner can read.
struct SLPTokenFile: Sendable {
    let path: String
    /// The tokens' server, and with `email` their account. Tokens of another server or account are ignored, so that
    /// they are never sent to the wrong one.
    let origin: String
    let email: String
    /// The queue that waits for the disk.
    private let queue = DispatchQueue(label: "tokens")

    init(path: String, origin: String, email: String) {
        (self.path, self.origin, self.email) = (path, origin, email)
    }

    /// Nil if the configuration keeps no tokens.
    init?(_ configuration: SLPConfiguration) {
        guard let path = configuration.tokenPath else { return nil }
        self.init(path: path, origin: configuration.server.origin, email: configuration.credentials.email)
    }

    private struct Content: Codable {
        var origin: String
        var email: String
        var tokens: SLPTokens
    }

    /// The limit of bytes in the file: two tokens of 16 KiB, with escapes.
    private static let maximumBytes = 64 * 1024

    /// Returns the tokens; nil if there are none that can be read. The next login writes new ones.
    func read() -> SLPTokens? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let data = try? file.read(upToCount: Self.maximumBytes),
            let content = try? JSONDecoder().decode(Content.self, from: data),
            content.origin == origin, content.email == email, content.tokens.isUsable
        else { return nil }
        return content.tokens
    }

    /// Writes the whole file or nothing, even if the power fails. Waits for the disk on a separate thread.
    ///
    /// - Throws: ``SLPTokenFileError``, or an error of Foundation's file handle.
    func write(_ tokens: SLPTokens) async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try put(tokens) }) }
        }
    }

    private func put(_ tokens: SLPTokens) throws {
        let data = try JSONEncoder().encode(Content(origin: origin, email: email, tokens: tokens))
        let unfinished = path + ".new"
        // Removes the unfinished file of a process that was killed.
        unlink(unfinished)
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SLPTokenFileError(path: path, errno: errno) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: data)
        guard fsync(descriptor) == 0, rename(unfinished, path) == 0 else {
            throw SLPTokenFileError(path: path, errno: errno)
        }
    }
}

struct SLPTokenFileError: Error, CustomStringConvertible {
    let description: String

    init(path: String, errno: Int32) {
        description = "\(path): \(String(cString: strerror(errno)))"
    }
}
