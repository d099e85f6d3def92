import Foundation
import Rendering

/// The stdout of the process. A wait for its reader can be abandoned.
final class ChatOutput: Sendable {
    /// Thrown when the wait for the reader was abandoned.
    struct Abandoned: Error {}

    /// The bytes that a ready pipe takes without a wait (POSIX, at least 512; Linux 4096).
    private static let pieceBytes = Int(PIPE_BUF)

    private let waker: Waker

    init() throws {
        waker = try Waker()
    }

    /// From now on, writes nothing that would have to wait.
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
