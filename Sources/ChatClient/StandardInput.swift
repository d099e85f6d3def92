import Dispatch
import FoundationEssentials
import Glibc

/// The stdin of the process, read on demand. It stays in blocking mode, which other programs on the same terminal rely
/// on.
package final class StandardInput: Sendable {
    package enum Read: Sendable {
        /// The bytes that were read; never empty.
        case bytes([UInt8])
        /// The end of stdin, or a cancelled task.
        case end
        /// A failure, with the reason for people.
        case failed(String)
    }

    private static let readSize = 4096

    private let queue = DispatchQueue(label: "stdin")
    private let waker: Waker

    init() throws {
        waker = try Waker()
    }

    package static var isTerminal: Bool { isatty(0) == 1 }

    /// Returns bytes as soon as there are any. After a cancellation it returns ``Read/end``.
    package func read() async -> Read {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { [waker] in continuation.resume(returning: Self.read(waker)) }
            }
        } onCancel: {
            waker.wake()
        }
    }

    private static func read(_ waker: Waker) -> Read {
        guard waker.poll(0, for: POLLIN) else { return .end }
        var buffer = [UInt8](repeating: 0, count: readSize)
        while true {
            let count = Glibc.read(0, &buffer, buffer.count)
            if count > 0 { return .bytes(Array(buffer[..<count])) }
            if count == 0 { return .end }
            guard errno == EINTR else { return .failed(String(cString: strerror(errno))) }
        }
    }
}
