import Glibc

/// Reads the beginning of a file.
package enum FileBeginning {
    /// The failure of `open(2)` or `read(2)`.
    package struct Failure: Error {
        /// The value of `errno`.
        package let code: Int32

        package var reason: String { String(cString: strerror(code)) }
    }

    /// 64 KiB, the size of a pipe.
    private static let chunk = 1 << 16

    /// Returns the bytes of a file; no more than the limit.
    package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: chunk)
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &buffer, min(chunk, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(code: errno) }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
