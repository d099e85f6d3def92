import Foundation
import Synchronization

/// A TCP client like `nc`, which sends a test's bytes and stores the received ones.
package final class ChatSocket: Sendable {
    private let descriptor: Int32
    private let heard = Mutex<[UInt8]>([])

    package init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            throw WaitedInVain(description: "no connection to port \(port): \(String(cString: strerror(errno)))")
        }
    }

    /// Creates a value for an accepted connection.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Returns a client that has joined the room and received its own first message.
    package static func joined(_ name: String, port: Int) async throws -> ChatSocket {
        let socket = try ChatSocket(port: port)
        try socket.send("USR_NAME::\(name)::END")
        try await socket.say("here", as: name)
        return socket
    }

    package func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    package func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw WaitedInVain(description: "send: \(String(cString: strerror(errno)))") }
            rest.removeFirst(count)
        }
    }

    /// Sends a message, and waits until the room has it.
    package func say(_ text: String, as name: String) async throws {
        try send("MSG::\(text)::END")
        try await waitFor("\(name)::\(text)")
    }

    package func waitFor(_ words: String) async throws {
        try await eventually("the room says \(words)", state: { text }) { text.contains(words) ? true : nil }
    }

    /// Reads and drops lines until there were `lines` of them, none came for `timeout`, or the server hung up. Blocks
    /// the thread.
    ///
    /// - Returns: The number of lines, and the processor time of this thread in seconds.
    func count(_ lines: Int, timeout: Duration) -> (lines: Int, processor: Double) {
        func processor() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = processor()
        var limit = timeval(tv_sec: Int(timeout.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var count = 0
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
            while count < lines {
                let size = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                guard size > 0 else { return }
                // `memchr` is as fast in a debug build, unlike a loop here.
                var (place, rest) = (buffer.baseAddress, size)
                while let start = place, let end = memchr(start, 0x0A, rest) {
                    count += 1
                    rest -= end - start + 1
                    place = end + 1
                }
            }
        }
        return (count, processor() - start)
    }

    /// The text received so far.
    package var text: String {
        heard.withLock { heard in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { return String(decoding: heard, as: UTF8.self) }
                heard += buffer[..<count]
            }
        }
    }
}
