import Foundation
import Synchronization
import TestSupport

/// A server that lets whoever connects log in, and then sends the bytes of a flood without end, as fast as they are taken.
///
/// Each connection has a thread of its own that copies prepared bytes, so that the test takes little of the machine.
final class FloodServer: Sendable {
    let flood: Flood
    private let server: RawServer
    private let content: [UInt8]
    private let isStopped = Atomic(false)
    private let bytes = Atomic(0)

    var port: Int { server.port }
    /// Bytes of the flood that were taken.
    var sent: Int { bytes.load(ordering: .relaxed) }

    init(_ flood: Flood) throws {
        server = try RawServer()
        self.flood = flood
        content = flood.content()
    }

    func start() {
        let thread = Thread { [self] in
            while !isStopped.load(ordering: .relaxed) {
                guard let descriptor = server.acceptNow(waiting: .milliseconds(100)) else { continue }
                let thread = Thread { [self] in
                    serve(FloodConnection(descriptor))
                    close(descriptor)
                }
                thread.start()
            }
        }
        thread.start()
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    private func serve(_ connection: FloodConnection) {
        switch flood.network {
        case .irc:
            guard greet(connection), send(flood.greeting, to: connection) else { return }
            floodOn(connection)
        case .streamchat:
            guard connection.line(endingWith: "") != nil else { return }
            floodOn(connection)
        case .xmpp:
            guard greetXMPP(connection), send(flood.greeting, to: connection) else { return }
            floodOn(connection)
        case .slp, .matrix:
            while !isStopped.load(ordering: .relaxed), let head = connection.line(endingWith: "\r\n\r\n") {
                guard answer(HTTPHead(head), on: connection) else { return }
            }
        }
    }

    func floodOn(_ connection: FloodConnection) {
        guard !content.isEmpty else {
            // It says nothing, and takes all that is said.
            while !isStopped.load(ordering: .relaxed), connection.line(endingWith: "") != nil {}
            return
        }
        while send(content, to: connection, isFlood: true) {}
    }

    /// False where nothing more is taken, or the server is stopped.
    func send(_ content: [UInt8], to connection: FloodConnection, isFlood: Bool = false) -> Bool {
        var rest = content[...]
        while !rest.isEmpty {
            guard !isStopped.load(ordering: .relaxed), let count = connection.send(rest) else { return false }
            if isFlood { bytes.add(count, ordering: .relaxed) }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Registers an IRC client, and has it join `#r0`.
    private func greet(_ connection: FloodConnection) -> Bool {
        while let line = connection.line(endingWith: "\r\n") {
            var lines: [String] = []
            if line.hasPrefix("CAP LS") {
                lines = flood.capabilities.isEmpty ? [":s 421 * CAP :no"] : [":s CAP * LS :\(flood.capabilities)"]
            } else if line.hasPrefix("CAP REQ") {
                lines = [":s CAP * ACK " + line.dropFirst(8)]
            }
            let isReady = line.hasPrefix(flood.capabilities.isEmpty ? "USER" : "CAP END")
            if isReady {
                lines = [
                    ":s 001 archiver :Welcome", ":s 376 archiver :End of MOTD", ":archiver!a@h JOIN #r0",
                    ":s 353 archiver = #r0 :archiver op u0", ":s 366 archiver #r0 :End",
                ]
            }
            let answer = Array(lines.map { $0 + "\r\n" }.joined().utf8)
            guard answer.isEmpty || send(answer, to: connection) else { return false }
            if isReady { return true }
        }
        return false
    }
}

/// A connection of a flood server; used by one thread.
final class FloodConnection {
    private let descriptor: Int32
    private var read: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var timeout = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    /// All that came up to these bytes, and with them; with none, whatever came within a second. Nil at the end.
    func line(endingWith end: String) -> String? {
        let end = Array(end.utf8)
        while true {
            if end.isEmpty ? !read.isEmpty : read.count >= end.count, let index = firstEnd(end) {
                defer { read.removeFirst(index) }
                return String(decoding: read[..<index], as: UTF8.self)
            }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EAGAIN { if end.isEmpty { return "" } else { continue } }
            guard count > 0 else { return nil }
            read += buffer.prefix(count)
        }
    }

    private func firstEnd(_ end: [UInt8]) -> Int? {
        guard !end.isEmpty else { return read.count }
        return (0...(read.count - end.count)).first { read[$0...].starts(with: end) }.map { $0 + end.count }
    }

    /// Drops bytes of a request's body.
    func skip(_ count: Int) {
        while read.count < count {
            let more = recv(descriptor, &buffer, buffer.count, 0)
            guard more > 0 else { return }
            read += buffer.prefix(more)
        }
        read.removeFirst(count)
    }

    /// Sends some of it, and drops what came meanwhile, so that the other side never waits for us.
    ///
    /// - Returns: How much was taken, 0 after a second in which nothing was; nil at the end.
    func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
        let part = bytes.prefix(256 * 1024)
        let count = part.withUnsafeBytes {
            Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count < 0, errno == EAGAIN { return 0 }
        return count > 0 ? count : nil
    }
}
