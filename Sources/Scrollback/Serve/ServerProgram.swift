import Archive
import Foundation
import Rendering
package import Service
package import ServiceLifecycle
import Synchronization

/// The program `scrollback-server`. It alone contains the HTTP server, which would delay the start of every command. The
/// commands run in it whose C code reads what others wrote: those with TLS and HTTP, and those that read files of others.
package enum ServerProgram {
    package typealias Make = @Sendable (ServerStart) async throws -> any ServiceLifecycle.Service

    /// Makes the server; nil in a program without it. A task-local value would crash a release build's main (Swift
    /// 6.3.1).
    private static let installed = Mutex<Make?>(nil)

    /// Installs the server's factory. The program's main calls it before anything else.
    package static func install(_ make: @escaping Make) { installed.withLock { $0 = make } }

    private static var makeServer: Make? { installed.withLock(\.self) }

    static let name = "scrollback-server"

    /// Makes the server, or replaces this process with `scrollback-server` and the same arguments.
    static func make(_ start: ServerStart) async throws -> any ServiceLifecycle.Service {
        guard let makeServer else { throw become() }
        return try await makeServer(start)
    }

    /// Replaces this process with `scrollback-server`, unless it is that program.
    ///
    /// - Throws: ``CommandError`` if that program can't be started.
    static func ensure() throws {
        if makeServer == nil { throw become() }
    }

    /// Replaces this process. Returns only if that fails.
    private static func become() -> CommandError {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let path = own.parentFolder + "/" + name
        var arguments: [UnsafeMutablePointer<CChar>?] = ([name] + CommandLine.arguments.dropFirst()).map { strdup($0) }
        arguments.append(nil)
        execv(path, &arguments)
        let reason = String(cString: strerror(errno))
        return CommandError(
            .noServer, "can't start \(Sanitizer.line(path)): \(reason)",
            hint: "install scrollback-server beside scrollback")
    }
}
