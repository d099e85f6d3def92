import Foundation

/// The process's stdin, read when asked. Leaves it in blocking mode, which others who have the same terminal rely on.
package final class StandardInput: Sendable {
    package enum Read: Sendable {
        /// Never empty.
        case bytes([UInt8])
        /// The end, or the task was cancelled.
        case end
        case failed(String)
    }

    private static let readSize = 4096

    private let queue = DispatchQueue(label: "stdin")
    private let waker: Waker

    init() throws {
        waker = try Waker()
    }

    package static var isTerminal: Bool { isatty(0) == 1 }

    /// What is there, as soon as something is. After a cancellation there is nothing more.
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
            let count = Foundation.read(0, &buffer, buffer.count)
            if count > 0 { return .bytes(Array(buffer[..<count])) }
            if count == 0 { return .end }
            guard errno == EINTR else { return .failed(String(cString: strerror(errno))) }
        }
    }
}
