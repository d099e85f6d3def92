import Glibc

/// The socket on which systemd expects notifications of its service: sd_notify(3), without its library.
package struct SystemdSocket: Sendable {
    /// The interval in which systemd expects a sign of life; nil if it has no watchdog.
    let watchdog: Duration?
    private let address: sockaddr_un
    private let length: socklen_t

    /// Nil if systemd expects no notifications, or for an address that isn't a local socket.
    package init?(environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
            return nil
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // Names in the abstract namespace begin with NUL, and have the length in the address.
        if bytes[0] == UInt8(ascii: "@") { address.sun_path.0 = 0 }
        self.address = address
        length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2) + socklen_t(bytes.count)
        watchdog = Self.watchdog(environment)
    }

    /// Sends a notification such as `READY=1`, without waiting. Returns false if the socket is full, so that the caller
    /// must retry; true for any other failure, which systemd notices itself.
    @discardableResult
    package func notify(_ state: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        let bytes = Array(state.utf8)
        var address = address
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0, length)
            }
        }
        return sent >= 0 || errno != EAGAIN
    }

    /// Returns the watchdog's interval, if it is meant for this process.
    private static func watchdog(_ environment: [String: String]) -> Duration? {
        if let process = environment["WATCHDOG_PID"], process != String(getpid()) { return nil }
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0 else {
            return nil
        }
        return .microseconds(microseconds)
    }
}
