import Bytes
import Dispatch
import FoundationEssentials
import Glibc

/// A connection to a process of this machine, by a socket that has a path.
final class LocalConnection: Sendable {
    /// The reason why a connection failed.
    enum Failure: Error {
        /// No process listens at the path.
        case noListener
        /// A process listens, and did not take the connection in time.
        case noAnswer
    }

    private static let readSize = 64 * 1024

    private let descriptor: Int32
    private let deadline: ContinuousClock.Instant
    /// The queue whose thread waits. Swift's own threads are for work.
    private let queue = DispatchQueue(label: "local connection")

    /// Connects, on a thread that may wait.
    ///
    /// - Parameters:
    ///   - path: At most 107 bytes.
    ///   - timeout: The limit of all that is done with the connection.
    init(path: String, timeout: Duration) throws(Failure) {
        deadline = ContinuousClock.now + timeout
        descriptor = try Self.connect(to: path, timeout)
    }

    deinit {
        close(descriptor)
    }

    /// Returns the descriptor of a connected socket.
    private static func connect(to path: String, _ timeout: Duration) throws(Failure) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // The last byte is the NUL at the end (unix(7)).
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw .noListener }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .noListener }
        // While the socket's queue is full, connect(2) waits for this long.
        let (seconds, attoseconds) = timeout.components
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var result: Int32
        repeat {
            result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        } while result != 0 && errno == EINTR
        guard result != 0 else { return descriptor }
        let code = errno
        close(descriptor)
        throw code == EAGAIN ? .noAnswer : .noListener
    }

    /// The user of the process that listens; nil if the system does not say.
    var peerUser: uid_t? {
        var peer = PeerCredentials(process: 0, user: 0, group: 0)
        var size = socklen_t(MemoryLayout<PeerCredentials>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.user : nil
    }

    /// Sends the bytes, and returns the first line of the answer, without its end; nil if the whole line does not come in
    /// time, is longer than the limit, or the task is cancelled.
    ///
    /// - Parameter limit: The longest line in bytes.
    func firstLine(after request: [UInt8], limit: Int) async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { [self] in continuation.resume(returning: firstLineWaiting(after: request, limit: limit)) }
            }
        } onCancel: {
            // Ends what the queue's thread waits for.
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// Does the same on the calling thread, which may wait.
    func firstLineWaiting(after request: [UInt8], limit: Int) -> [UInt8]? {
        write(request) ? receive(limit: limit) : nil
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard wait(for: POLLOUT) else { return false }
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count > 0 { rest = rest.dropFirst(count) } else if !Self.isTransient(errno) { return false }
        }
        return true
    }

    private func receive(limit: Int) -> [UInt8]? {
        var lines = LineBuffer(limit: limit)
        var part = [UInt8](repeating: 0, count: Self.readSize)
        while wait(for: POLLIN) {
            let count = recv(descriptor, &part, part.count, Int32(MSG_DONTWAIT))
            guard count > 0 else {
                if count < 0, Self.isTransient(errno) { continue }
                return nil
            }
            var bytes = part[..<count]
            if let line = lines.next(in: &bytes) { return line.isCut ? nil : line.bytes }
            if lines.pending.isCut { return nil }
        }
        return nil
    }

    private static func isTransient(_ code: Int32) -> Bool { code == EINTR || code == EAGAIN }

    /// Waits until the socket is ready, or has ended. Returns false after the deadline.
    private func wait(for events: Int32) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            // 1 ms more, because the rest of a millisecond would be no wait.
            let result = poll(&waiting, 1, Int32(clamping: left.components.seconds * 1000 + left.milliseconds + 1))
            if result > 0 { return true }
            if result < 0, errno != EINTR { return false }
        }
    }
}

extension Duration {
    /// The whole milliseconds after the last whole second.
    fileprivate var milliseconds: Int64 { components.attoseconds / 1_000_000_000_000_000 }
}

/// The process at the other end of a local socket: `struct ucred` of unix(7), `SO_PEERCRED`.
private struct PeerCredentials {
    var process: pid_t
    var user: uid_t
    var group: gid_t
}
