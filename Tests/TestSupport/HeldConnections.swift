import Foundation

/// Connections to a port of this machine that send nothing, until the value is released.
package final class HeldConnections: Sendable {
    private let descriptors: [Int32]

    /// Opens the connections, one after the other.
    package init(port: Int, count: Int) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var descriptors: [Int32] = []
        for _ in 0..<count {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            let isConnected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            descriptors.append(descriptor)
            guard isConnected else {
                for descriptor in descriptors { close(descriptor) }
                throw WaitedInVain(description: "connection \(descriptors.count): \(String(cString: strerror(errno)))")
            }
        }
        self.descriptors = descriptors
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}
