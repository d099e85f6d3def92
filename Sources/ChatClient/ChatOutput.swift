import Foundation
import Rendering

/// The process's stdout, written as fast as it takes it; a wait for whoever reads it can be given up.
final class ChatOutput: Sendable {
    /// Nobody waits any more for the reader of our output.
    struct Abandoned: Error {}

    /// As much as a pipe that is ready takes without a wait (POSIX, at least 512; Linux 4096).
    private static let pieceBytes = Int(PIPE_BUF)

    private let waker: Waker

    init() throws {
        waker = try Waker()
    }

    /// From here on nothing that can't be written at once is written at all.
    func abandon() {
        waker.wake()
    }

    /// - Throws: ``Abandoned``, and what ``StandardStream/write(_:)`` throws.
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
