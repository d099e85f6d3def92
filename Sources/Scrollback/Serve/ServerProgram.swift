import Files
import FoundationEssentials
import Glibc
import Rendering
import Synchronization

/// The program `scrollback-server`, which alone contains the libraries for networks.
package enum ServerProgram {
    /// The work of the server program; nil in `scrollback`. A task-local value would crash a release build's main (Swift
    /// 6.3.1).
    private static let installed = Mutex<(any ServerWork)?>(nil)

    /// Makes this process the server program. Its main calls it before anything else.
    package static func install(_ work: any ServerWork) { installed.withLock { $0 = work } }

    static let name = "scrollback-server"

    /// Returns the work of `scrollback-server`. In `scrollback`, replaces this process with `scrollback-server` and the
    /// same arguments, so a command calls it before it does anything else.
    ///
    /// - Throws: ``CommandError`` if that program can't be started.
    static func work() throws -> any ServerWork {
        guard let work = installed.withLock(\.self) else { throw become() }
        return work
    }

    /// Replaces this process. Returns only if that fails.
    private static func become() -> CommandError {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let path = own.parentFolder + "/" + name
        // `scrollback` with the other program's name would start itself for ever.
        guard CommandLine.arguments[0] != name else {
            return CommandError(
                .noServer, "\(Sanitizer.line(path)) is scrollback itself, or a link to it",
                hint: "install scrollback-server beside scrollback")
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = ([name] + CommandLine.arguments.dropFirst()).map { strdup($0) }
        arguments.append(nil)
        execv(path, &arguments)
        let reason = String(cString: strerror(errno))
        return CommandError(
            .noServer, "can't start \(Sanitizer.line(path)): \(reason)",
            hint: "install scrollback-server beside scrollback")
    }
}
