import Foundation

/// A server that sends a test's bytes unchanged.
package final class RawServer: Sendable {
    package let port: Int
    private let descriptor: Int32

    package init() throws {
        descriptor = socket(
            AF_INET,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isListening else {
            close(descriptor)
            throw WaitedInVain(description: "no port to listen on: \(String(cString: strerror(errno)))")
        }
        port = Int(in_port_t(bigEndian: address.sin_port))
    }

    deinit {
        close(descriptor)
    }

    /// Returns the next connection.
    package func accept() async throws -> ChatSocket {
        try await eventually("a connection") {
            let connection = Foundation.accept(descriptor, nil, nil)
            guard connection >= 0 else { return nil }
            // Programs of other tests must not inherit the descriptor.
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            return ChatSocket(descriptor: connection)
        }
    }

    /// Returns the next connection as a blocking descriptor, which the caller must close; nil if none came in that
    /// time.
    package func acceptNow(waiting timeout: Duration) -> Int32? {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Foundation.poll(&poll, 1, Int32(timeout / .milliseconds(1))) > 0 else { return nil }
        let connection = Foundation.accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return connection
    }
}
