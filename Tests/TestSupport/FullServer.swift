import Foundation

/// A port whose connections are never accepted, because the kernel's queue is full.
package final class FullServer: Sendable {
    package let port: Int
    private let descriptors: [Int32]

    package init() throws {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var descriptors = [server]
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        func withAddress(_ body: (UnsafeMutablePointer<sockaddr>) -> Int32) -> Int32 {
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
            }
        }
        let isListening =
            withAddress { bind(server, $0, size) } == 0 && listen(server, 0) == 0
            && withAddress { getsockname(server, $0, &size) } == 0
        guard isListening else {
            close(server)
            throw WaitedInVain(description: "no port to listen on: \(String(cString: strerror(errno)))")
        }
        // Linux accepts one connection more than the backlog; a few more do no harm.
        for _ in 0..<4 {
            let client = socket(
                AF_INET,
                Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            _ = withAddress { connect(client, $0, size) }
            descriptors.append(client)
        }
        self.descriptors = descriptors
        port = Int(in_port_t(bigEndian: address.sin_port))
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}
