package import ChatModel
import Files

/// The state of the files that an answer was read from. While it is current, an equal question has an equal answer,
/// except for what depends on the clock and on running listeners.
package struct ArchiveStamp: Sendable {
    private let files: [String: FileStamp]

    /// Returns nil if a file changed shortly before or after `start`.
    fileprivate init?(_ paths: [String], since start: Timestamp) {
        files = Dictionary(paths.map { ($0, FileStamp(database: $0)) }, uniquingKeysWith: { $1 })
        let nanoseconds = start.microseconds * 1000
        guard files.values.allSatisfy({ $0.isSettled(atNanoseconds: nanoseconds) }) else { return nil }
    }

    /// True if no file has changed since. Reads no file.
    package var isCurrent: Bool { files.allSatisfy { FileStamp(database: $0) == $1 } }
}

extension ArchiveReading {
    /// Returns the state of the files of every open account; nil if they changed since `start`, or so shortly before
    /// it that a change may leave no trace. Nil for a shared archive.
    ///
    /// - Parameter start: A time before the first read of the answer.
    package func stamp(since start: Timestamp) -> ArchiveStamp? {
        opened.files.flatMap { ArchiveStamp($0, since: start) }
    }
}
