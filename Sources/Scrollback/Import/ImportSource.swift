import ChatModel
import Foundation
import LogFormats

/// A file to import, or standard input.
struct ImportSource: Sendable {
    /// As given, or found in a folder; `-` is standard input.
    let path: String
    /// Bytes, as far as it is known beforehand: 0 for a pipe.
    let size: Int64

    private static let chunk = 64 * 1024

    /// The files of what is given, in its order; of a folder those right in it, by name, hidden ones left out.
    static func find(_ path: String) throws(CommandError) -> [ImportSource] {
        guard path != "-" else { return [ImportSource(path: path, size: 0)] }
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(path, errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return [ImportSource(path: path, size: status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : 0)]
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw failure(path, EACCES)
        }
        return names.sorted().filter { !$0.hasPrefix(".") }.compactMap { name in
            let file = path.hasSuffix("/") ? path + name : path + "/" + name
            guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return ImportSource(path: file, size: Int64(status.st_size))
        }
    }

    /// For people.
    var shown: String { path == "-" ? "stdin" : Sanitizer.line(path) }

    var name: String { path == "-" ? "" : (path as NSString).lastPathComponent }

    /// How often a pipe that gives nothing is left to see whether to stop, in milliseconds.
    private static let pipePatience: Int32 = 200

    /// Gives its bytes as they come.
    ///
    /// - Throws: ``CommandError`` when it can't be read, ``ImportStopped`` when told to stop while a pipe gives nothing, and
    ///   whatever `body` throws.
    func read(isStopped: () -> Bool, _ body: (ArraySlice<UInt8>) async throws -> Void) async throws {
        let descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&waiting, 1, Self.pipePatience) == 0 {
                if isStopped() { throw ImportStopped() }
            }
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count == 0 { return }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path, errno) }
            try await body(buffer[..<count])
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandError {
        CommandError(
            .input, "\(path == "-" ? "stdin" : Sanitizer.line(path)): \(String(cString: strerror(code)))",
            hint: "is the name right, and may it be read?")
    }
}
