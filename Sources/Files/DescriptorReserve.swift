import Glibc
import Synchronization

/// The last descriptors of a process, which the readers of its HTTP server leave to its listener.
///
/// The system gives the lowest free number. Readers that take only numbers below a bound therefore leave the numbers
/// above it free.
package final class DescriptorReserve: Sendable {
    private let count: Atomic<Int>

    /// Readers that open a file at the same time take up to 6 descriptors each: two locks, and an account's file.
    private static let margin = 48

    /// - Parameter count: The number of descriptors that the rest of the process needs.
    package init(_ count: Int) {
        self.count = Atomic(count)
    }

    /// Replaces the number of descriptors that the rest of the process needs.
    package func change(to count: Int) { self.count.store(count, ordering: .relaxed) }

    /// The number of descriptors that readers may use, with their connections.
    package var available: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return max(0, Int(clamping: limit.rlim_cur) - count.load(ordering: .relaxed))
    }

    /// True if readers may open another file.
    package var hasFree: Bool { hasFree(Self.margin) }

    /// True if the readers may open another connection, and still their files.
    package var hasFreeForConnection: Bool { hasFree(2 * Self.margin) }

    private func hasFree(_ margin: Int) -> Bool {
        let next = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
        guard next >= 0 else { return false }
        close(next)
        return Int(next) + margin < available
    }

    /// Requires that readers may open another file.
    package func require() throws(ArchiveError) {
        guard hasFree else {
            throw ArchiveError(
                code: .tooManyOpen, detail: "readers have as many files open as this process may spare",
                hint: "raise the limit (ulimit -Hn, LimitNOFILE= in the service), or try again")
        }
    }
}
