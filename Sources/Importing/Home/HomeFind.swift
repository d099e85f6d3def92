import Bytes
package import ChatModel
import LogFormats
import Rendering
import Synchronization

/// The logs of one program and one account in a home.
package struct HomeFind {
    package internal(set) var facts: Facts
    /// The sources, with the options for them.
    package let search: ImportSearch

    /// The facts for people and programs.
    package struct Facts: Sendable, Hashable {
        /// The position in the list, from 1.
        package internal(set) var number = 0
        /// The program, for people.
        package internal(set) var program: String
        /// The name of the format.
        package internal(set) var format: String
        /// The name of the account or network by the logs' paths and contents; nil if they have none.
        package internal(set) var name: String?
        /// The folder around all files, for people.
        package internal(set) var folder: String
        /// The number of files; an export of several files has as many.
        package internal(set) var files: Int
        /// The bytes of the files, unpacked.
        package internal(set) var bytes: Int64
        /// The account into which the logs go; nil before it is proposed.
        package internal(set) var account: AccountIdentity?
        /// True if the import creates the account.
        package internal(set) var isNew = false
        /// The counted messages; nil before they are counted.
        package internal(set) var count: HomeCount?

        /// A line such as `irssi libera: 312 files, 20.3 MB in /home/alice/irclogs/libera`.
        package var text: String {
            let words = [program, name].compactMap(\.self).map(Sanitizer.line).joined(separator: " ")
            return "\(words): \(files.of("file")), \(ByteCount(bytes)) in \(folder)"
        }
    }

    init(_ search: ImportSearch, program: String?, name: String?, number: Int) {
        self.search = search
        let format = search.sources.formats.first
        var folder: [Substring]?
        var (files, bytes) = (0, Int64(0))
        for source in search.sources {
            files += source.files.count
            bytes += Swift.min(source.size, .max / Int64(search.sources.count) / 2)
            let own = source.shown.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            folder = folder.map { zip($0, own).prefix { $0 == $1 }.map(\.0) } ?? Array(own)
        }
        facts = Facts(
            number: number, program: program ?? format?.programs.prefix { $0 != "," && $0 != "(" }.trimmed ?? "",
            format: format?.name ?? "", name: name, folder: (folder ?? []).joined(separator: "/"), files: files,
            bytes: bytes)
    }

    /// Reads all sources, and counts their messages.
    ///
    /// - Throws: ``ImportStopped`` when asked to stop.
    mutating func count(
        isStopped: @escaping @Sendable () -> Bool, progress: (ImportRun.Done) -> Void
    ) async throws {
        let counter = HomeCounter()
        var (run, unreadable) = (ImportRun(options: search.options, isStopped: isStopped), 0)
        let store: ImportRun.Store = { counter.countBatch($0) }
        for source in search.sources {
            if isStopped() { throw ImportStopped() }
            try await run.importSource(source, store: store, progress: progress) { _ in unreadable += 1 }
        }
        try await run.finish(store: store, progress: progress)
        facts.count = counter.count
        facts.count?.unreadable = unreadable
    }
}

/// The messages of a find, as its logs have them. A message that two logs have counts twice.
package struct HomeCount: Sendable, Hashable {
    package internal(set) var messages = 0
    /// The number of rooms, at most ``maximumRooms``.
    package internal(set) var rooms = 0
    package internal(set) var first: Timestamp?
    package internal(set) var last: Timestamp?
    /// The number of files that could not be read to their ends.
    package internal(set) var unreadable = 0

    /// The limit of rooms that are counted: those of a large workspace, with 50 bytes for a name.
    package static let maximumRooms = 20_000

    fileprivate mutating func addMessage(_ message: ImportedMessage) {
        messages += 1
        first = min(first ?? message.time, message.time)
        last = max(last ?? message.time, message.time)
    }
}

/// Counts batches of messages in place of an archive.
private final class HomeCounter: Sendable {
    private let state = Mutex((count: HomeCount(), rooms: Set<String>()))

    var count: HomeCount {
        state.withLock { state in
            var count = state.count
            count.rooms = state.rooms.count
            return count
        }
    }

    func countBatch(_ batch: ImportBatch) -> ImportTally {
        state.withLock { state in
            var tally = ImportTally()
            for line in batch.lines {
                switch line {
                case .message(let message):
                    state.count.addMessage(message)
                    tally.new += 1
                    if state.rooms.count < HomeCount.maximumRooms {
                        state.rooms.insert(message.roomKey ?? message.room.lowercased())
                    }
                case .unreadable: tally.failed += 1
                case .record, .imported, .owner: break
                }
            }
            return tally
        }
    }
}
