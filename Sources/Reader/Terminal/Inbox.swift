import ChatModel
import Glibc
import Synchronization

/// What other threads and signals send to the thread that draws, which waits for the descriptor.
final class Inbox: Sendable {
    enum Item: Sendable {
        case answer(ReaderRequest, ReaderAnswer)
        /// A room was marked as read, or could not be.
        case marked(RoomKey, failure: String?)
        /// A signal arrived.
        case signal(Int32)
    }

    private let items = Mutex<[Item]>([])
    /// The reading end of the pipe.
    let descriptor: Int32
    /// The writing end, for signals as well: a byte each; 0 for an item.
    let end: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (descriptor, end) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(end)
    }

    func add(_ item: Item) {
        items.withLock { $0.append(item) }
        var byte: UInt8 = 0
        _ = write(end, &byte, 1)
    }

    /// Returns everything since the last call, in order; signals last.
    func take() -> [Item] {
        var (signals, buffer) = ([Item](), [UInt8](repeating: 0, count: 256))
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            signals += buffer[..<count].filter { $0 != 0 }.map { .signal(Int32($0)) }
        }
        return items.withLock { items in
            defer { items = [] }
            return items
        } + signals
    }
}
