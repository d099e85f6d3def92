import Foundation
import Synchronization

/// A local datagram socket, like the one on which systemd receives notifications.
package final class DatagramSocket: Sendable {
    private let descriptor: Int32
    private let received = Mutex<[String]>([])

    /// - Parameter name: A path, or a name of the abstract namespace after `@`.
    package init(_ name: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        if bytes[0] == UInt8(ascii: "@") { address.sun_path.0 = 0 }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard result == 0 else {
            throw WaitedInVain(description: "no socket \(name): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// The messages received so far, in order.
    package var messages: [String] {
        received.withLock { received in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { return received }
                received.append(String(decoding: buffer[..<count], as: UTF8.self))
            }
        }
    }
}
