import Dispatch
import Foundation

/// A small JSON file that only its owner can read, such as one with tokens.
package struct PrivateFile: Sendable {
    private let path: String
    /// Waits for the disk.
    private static let queue = DispatchQueue(label: "private files", attributes: .concurrent)
    /// The limit of bytes in the file: two tokens of 16 KiB, with escapes.
    private static let maximumBytes = 64 * 1024

    package init(path: String) { self.path = path }

    /// Returns the content; nil if there is none that can be read.
    package func read<Content: Decodable>(_: Content.Type = Content.self) -> Content? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let data = try? file.read(upToCount: Self.maximumBytes) else { return nil }
        return try? JSONDecoder().decode(Content.self, from: data)
    }

    /// Writes the whole file or nothing, even if the power fails. Waits for the disk on a separate thread.
    ///
    /// - Throws: ``PrivateFileError``, or an error of Foundation's file handle.
    package func write(_ content: some Encodable & Sendable) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Self.queue.async { continuation.resume(with: Result { try put(content) }) }
        }
    }

    private func put(_ content: some Encodable) throws {
        let data = try JSONEncoder().encode(content)
        let unfinished = path + ".new"
        // Removes the unfinished file of a process that was killed.
        unlink(unfinished)
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PrivateFileError(path: path, errno: errno) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: data)
            guard fsync(descriptor) == 0, rename(unfinished, path) == 0 else {
                throw PrivateFileError(path: path, errno: errno)
            }
        } catch {
            unlink(unfinished)
            throw error
        }
        try synchronizeName()
    }

    /// Writes the new name to the disk. Without it, a power cut could bring back tokens that the server has replaced.
    private func synchronizeName() throws {
        let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw PrivateFileError(path: path, errno: errno) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw PrivateFileError(path: path, errno: errno) }
    }
}

struct PrivateFileError: Error, CustomStringConvertible {
    let description: String

    init(path: String, errno: Int32) {
        description = "\(path): \(String(cString: strerror(errno)))"
    }
}
