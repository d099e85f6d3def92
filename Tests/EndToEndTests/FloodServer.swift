import Foundation
import Synchronization
import TestSupport

/// An IRC server that registers whoever connects, and then sends the same bytes without end, as fast as they are taken.
///
/// A thread of its own that copies prepared bytes, so that the test takes little of the machine.
final class FloodServer: Sendable {
    private let server: RawServer
    private let greeting: [UInt8]
    private let flood: [UInt8]
    private let isStopped = Atomic(false)
    private let bytes = Atomic(0)

    var port: Int { server.port }
    /// Bytes that were taken.
    var sent: Int { bytes.load(ordering: .relaxed) }

    /// - Parameter room: The room that the server has the archiver join.
    init(room: String, flood: [String]) throws {
        server = try RawServer()
        let greeting = [
            ":s 421 * CAP :Unknown command", ":s 001 archiver :Welcome", ":s 376 archiver :End of MOTD",
            ":archiver!a@h JOIN \(room)", ":s 353 archiver = \(room) :archiver op u0", ":s 366 archiver \(room) :End",
        ]
        self.greeting = Array(greeting.map { $0 + "\r\n" }.joined().utf8)
        self.flood = Array(flood.map { $0 + "\r\n" }.joined().utf8)
    }

    deinit {
        stop()
    }

    func start() {
        let thread = Thread { [self] in
            while !isStopped.load(ordering: .relaxed) { serve() }
        }
        thread.start()
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    private func serve() {
        guard let connection = server.acceptNow(waiting: .milliseconds(100)) else { return }
        defer { close(connection) }
        var said: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: said, as: UTF8.self).contains("USER ") {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            said += buffer.prefix(count)
        }
        guard write(greeting, to: connection) else { return }
        while write(flood, to: connection) {}
    }

    private func write(_ content: [UInt8], to connection: Int32) -> Bool {
        var rest = content[...]
        while !rest.isEmpty, !isStopped.load(ordering: .relaxed) {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EAGAIN { continue }
            guard count > 0 else { return false }
            bytes.add(count, ordering: .relaxed)
            rest = rest.dropFirst(count)
        }
        return rest.isEmpty
    }
}
