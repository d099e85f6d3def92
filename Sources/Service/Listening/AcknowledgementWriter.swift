package import ChatModel
import Glibc
package import Logging
import Rendering
package import Settings
import Synchronization

/// Writes the ids of stored messages to a descriptor, one a line, for tests of durability.
///
/// Storing waits while the reader does not read.
package final class AcknowledgementWriter: Sendable {
    private let descriptor: Int32
    private let logger: Logger
    /// False after the reader has closed the descriptor. The mutex is held during a write, so that the lines of
    /// accounts don't mix.
    private let isOpen = Mutex(true)

    /// - Throws: ``ServiceError`` if the descriptor is not open for writing.
    package init(descriptor: Int32, logger: Logger) throws(ServiceError) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
            throw ServiceError(
                .descriptor, "--ack-fd \(descriptor): no descriptor open for writing",
                hint: "for example: --ack-fd 3 3>acknowledged")
        }
        self.descriptor = descriptor
        self.logger = logger
    }

    /// Writes the ids of messages that are on disk. Does nothing after the reader has closed the descriptor.
    package func write(_ ids: [MessageID]) {
        guard !ids.isEmpty else { return }
        let text = ids.map { "\($0)\n" }.joined()
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            do throws(FileDescriptorWriter.Failure) {
                try FileDescriptorWriter(descriptor: descriptor).write(text)
            } catch {
                isOpen = false
                logger.warning("acknowledgements stopped", metadata: ["reason": "\(error.reason)"])
            }
        }
    }
}
