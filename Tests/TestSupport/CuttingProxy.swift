import Foundation
import Synchronization

/// A Unix socket that passes connections on to a PostgreSQL server's, and breaks the first one after so many bytes.
package final class CuttingProxy: Sendable {
    /// The folder with the socket.
    package let folder: String
    private let target: String
    private let listener: Int32
    private let state: Mutex<State>
    private let onCut: (@Sendable () -> Void)?

    private struct State {
        /// The bytes after which a connection breaks, in both directions; nil for no limit.
        var sent: Int?
        var received: Int?
        var wasCut = false
    }

    /// - Parameters:
    ///   - target: The folder with the server's socket.
    ///   - sent: The bytes from the client after which the connection breaks.
    ///   - received: The bytes from the server after which it breaks, before they reach the client.
    ///   - onCut: Runs before the connection breaks.
    package init(
        to target: String, sent: Int? = nil, received: Int? = nil, onCut: (@Sendable () -> Void)? = nil
    ) throws {
        self.target = target + "/.s.PGSQL.5432"
        self.onCut = onCut
        state = Mutex(State(sent: sent, received: received))
        folder = FileManager.default.temporaryDirectory.path + "/sbcut-" + UUID().uuidString.prefix(8).lowercased()
        mkdir(folder, 0o755)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        guard Self.withAddress(folder + "/.s.PGSQL.5432", { bind(listener, $0, $1) == 0 && listen(listener, 16) == 0 })
        else { throw WaitedInVain(description: "no socket: \(String(cString: strerror(errno)))") }
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                guard let self else {
                    close(client)
                    return
                }
                self.serve(client)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// True once a connection was broken.
    package var wasCut: Bool { state.withLock { $0.wasCut } }

    private func serve(_ client: Int32) {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard Self.withAddress(target, { connect(server, $0, $1) == 0 }) else {
            close(client)
            close(server)
            return
        }
        let open = Mutex(2)
        let end: @Sendable () -> Void = {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
            let isLast = open.withLock { count in
                count -= 1
                return count == 0
            }
            if isLast {
                close(client)
                close(server)
            }
        }
        Thread.detachNewThread { [self] in
            copy(from: client, to: server, isSent: true)
            end()
        }
        Thread.detachNewThread { [self] in
            copy(from: server, to: client, isSent: false)
            end()
        }
    }

    private func copy(from source: Int32, to target: Int32, isSent: Bool) {
        let limit: WritableKeyPath<State, Int?> = isSent ? \.sent : \.received
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count > 0 else { return }
            let (passed, isCut): (Int, Bool) = state.withLock { state in
                guard let left = state[keyPath: limit] else { return (count, false) }
                guard left <= count else {
                    state[keyPath: limit] = left - count
                    return (count, false)
                }
                (state.sent, state.received, state.wasCut) = (nil, nil, true)
                return (left, true)
            }
            if passed > 0 { _ = send(target, &buffer, passed, Int32(MSG_NOSIGNAL)) }
            if isCut {
                onCut?()
                return
            }
        }
    }

    private static func withAddress<T>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
