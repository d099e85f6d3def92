import Glibc
import Rendering

/// Ends waits in `poll(2)`, once and permanently.
final class Waker: Sendable {
    /// The descriptor that becomes readable with ``wake()``.
    let descriptor: Int32
    private let signalling: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ChatError(.input, "can't create a pipe: \(String(cString: strerror(errno)))", hint: nil)
        }
        (descriptor, signalling) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(signalling)
    }

    func wake() {
        _ = write(signalling, [0], 1)
    }

    /// Returns true if `other` is ready for `events` or has failed; false if ``wake()`` was called before that.
    func poll(_ other: Int32, for events: Int32) -> Bool {
        var requests = [
            pollfd(fd: other, events: Int16(events), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while Glibc.poll(&requests, 2, -1) < 0, errno == EINTR {}
        return requests[0].revents != 0
    }
}
