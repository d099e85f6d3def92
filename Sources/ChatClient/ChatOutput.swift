import Glibc
import Rendering

/// The stdout of the process. A write that waits for the reader can be abandoned.
final class ChatOutput: Sendable {
    /// The error of a write after ``abandon()``.
    struct Abandoned: Error {}

    /// The bytes that a ready pipe takes without a wait (POSIX, at least 512; Linux 4096).
    private static let pieceBytes = Int(PIPE_BUF)

    private let waker: Waker

    init() throws {
        waker = try Waker()
    }

    /// Ends the waits: from now on, writes only bytes that the pipe takes at once.
    func abandon() {
        waker.wake()
    }

    /// - Throws: ``Abandoned``, and the errors of ``StandardStream/write(_:)``.
    func write(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            guard waker.poll(1, for: POLLOUT) else { throw Abandoned() }
            let piece = rest.prefix(Self.pieceBytes)
            try StandardStream.output.write(piece)
            rest = rest.dropFirst(piece.count)
        }
    }
}
