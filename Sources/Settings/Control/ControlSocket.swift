import Glibc
import Rendering

/// The place of a data folder's control socket.
package enum ControlSocket {
    package static let name = "control.sock"

    /// 107 bytes: `sockaddr_un` has room for 108, with the NUL (unix(7)).
    private static let maximumPathLength = 107

    /// Calls `body` with a path that fits in a socket's address.
    ///
    /// For a long folder name, the path uses a descriptor of the folder, which is open until `body` returns.
    package static func withPath<Result>(
        folder: String, _ body: (String) async throws -> Result
    ) async throws -> Result {
        let path = folder + "/" + name
        guard path.utf8.count > maximumPathLength else { return try await body(path) }
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ServiceError(
                .notPermitted, "\(Sanitizer.line(folder)): \(String(cString: strerror(errno)))", hint: nil)
        }
        defer { close(descriptor) }
        return try await body("/proc/self/fd/\(descriptor)/\(name)")
    }
}
