import Glibc

/// Writes whole texts to a descriptor with `write(2)`, which may take only a part at a time.
package struct FileDescriptorWriter: Sendable {
    /// The failure of `write(2)`.
    package struct Failure: Error {
        /// The value of `errno`.
        package let code: Int32

        package var reason: String {
            String(cString: strerror(code))
        }
    }

    package let descriptor: Int32

    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes the whole text; waits while a non-blocking descriptor is full.
    package func write(_ text: String) throws(Failure) {
        try write(Array(text.utf8)[...])
    }

    /// Writes all bytes; waits while a non-blocking descriptor is full.
    package func write(_ bytes: ArraySlice<UInt8>) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest.removeFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilWritable()
            case let code: throw Failure(code: code)
            }
        }
    }

    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
    }
}
