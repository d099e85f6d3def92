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
    package static func withPath<Result>(folder: String, _ body: (String) throws -> Result) throws -> Result {
        let place = try Place(folder)
        return try withExtendedLifetime(place) { try body(place.path) }
    }

    /// Does the same for a body that suspends.
    package static func withPath<Result>(
        folder: String, _ body: (String) async throws -> Result
    ) async throws -> Result {
        let place = try Place(folder)
        defer { withExtendedLifetime(place) {} }
        return try await body(place.path)
    }

    /// A path, with the descriptor that it may use.
    private final class Place {
        let path: String
        private let descriptor: Int32

        init(_ folder: String) throws {
            let path = folder + "/" + name
            guard path.utf8.count > maximumPathLength else {
                (self.path, descriptor) = (path, -1)
                return
            }
            descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw ServiceError(
                    .notPermitted, "\(Sanitizer.line(folder)): \(String(cString: strerror(errno)))", hint: nil)
            }
            self.path = "/proc/self/fd/\(descriptor)/\(name)"
        }

        deinit { if descriptor >= 0 { close(descriptor) } }
    }
}
