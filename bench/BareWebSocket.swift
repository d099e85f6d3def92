import Foundation

/// A WebSocket client with as little work as possible: joins namespaces, and counts messages without reading them.
///
/// Answers no pings, so a server ends it after 45 s.
final class BareWebSocket {
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private var at = 0
    private var chunk = [UInt8](repeating: 0, count: 256 * 1024)

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
        }
        guard isConnected else { throw BenchmarkError("no connection to port \(port)") }
        let request = [
            "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: Upgrade",
            "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", "",
        ]
        try send(Array(request.joined(separator: "\r\n").utf8))
        while bytes.suffix(4) != Array("\r\n\r\n".utf8) {
            bytes.append(contentsOf: try read(1))
        }
        bytes = []
    }

    deinit {
        close(descriptor)
    }

    /// Requests the namespaces, and returns when all are granted.
    func join(_ namespaces: [String]) throws {
        for namespace in namespaces {
            // Masked with zeros, which leaves the text unchanged.
            let text = Array("40\(namespace),".utf8)
            try send([0x81, 0x80 | UInt8(text.count), 0, 0, 0, 0] + text)
        }
        try count("40", to: namespaces.count)
    }

    /// Returns when this many messages with this prefix have arrived.
    func count(_ prefix: String, to number: Int) throws {
        let prefix = Array(prefix.utf8)
        var count = 0
        while count < number {
            let payload = try message()
            if bytes[payload].starts(with: prefix) { count += 1 }
        }
    }

    /// Returns the place of the next message in `bytes`.
    private func message() throws -> Range<Int> {
        try need(2)
        var length = Int(bytes[at + 1] & 0x7F)
        var header = 2
        if length == 126 {
            try need(4)
            (length, header) = (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]), 4)
        } else if length == 127 {
            throw BenchmarkError("a message of more than 65535 bytes")
        }
        try need(header + length)
        defer { at += header + length }
        return at + header..<at + header + length
    }

    private func need(_ count: Int) throws {
        while bytes.count - at < count {
            if at > 0 { bytes.removeFirst(at) }
            at = 0
            bytes.append(contentsOf: try read(chunk.count))
        }
    }

    private func read(_ count: Int) throws -> ArraySlice<UInt8> {
        let read = recv(descriptor, &chunk, count, 0)
        guard read > 0 else { throw BenchmarkError("the server closed the connection") }
        return chunk[..<read]
    }

    private func send(_ bytes: [UInt8]) throws {
        guard Foundation.send(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw BenchmarkError("the server takes nothing")
        }
    }
}
