import Foundation
import Rendering

/// Where the control socket of a data folder is.
enum ControlSocket {
    static let name = "control.sock"

    /// 108 bytes, the NUL included, are what `sockaddr_un` takes (unix(7)).
    static let maximumPathLength = 107

    /// Gives `body` a path that a socket takes, however long the folder's is.
    ///
    /// A long one is reached through a descriptor of the folder, which is open until `body` returns.
    static func withPath<Result>(
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
