package import Archive
package import ChatModel
import Files
import Rendering
import Writing

/// Makes changes to an account: through the listener that has its file open, or in the file itself, which ``close()``
/// releases.
package actor StoreWriting {
    private let archive: Archive
    private let account: AccountIdentity
    private var writer: AccountWriter?
    /// The import memory of the writer that was closed last, for the next one.
    private var memory: ImportMemory?
    private var heldSince = ContinuousClock.now

    /// The longest wait for a busy file. A listener that has just started holds the file before it answers; another
    /// command holds it briefly.
    private static let timeout = Duration.seconds(15)
    private static let pause = Duration.milliseconds(50)
    /// The interval at which the file is released, because other processes may wait for it, such as a listener that
    /// starts.
    private static let hold = Duration.seconds(3)
    /// The time for which the file is released, because other processes try every 20 ms.
    private static let release = Duration.milliseconds(25)

    /// - Parameter account: The account. The first change creates it if it does not exist.
    package init(archive: Archive, account: AccountIdentity) {
        self.archive = archive
        self.account = account
    }

    /// Makes a change, and returns after COMMIT.
    ///
    /// - Throws: ``ServiceError`` if the listener refuses, ``ArchiveError`` when the file can't be written.
    @discardableResult
    package func perform(_ change: StoreChange) async throws -> StoreOutcome {
        try await releaseIfDue()
        return try await performUntilTaken(change)
    }

    /// Stores the lines of an import. A listener receives one request after the other; otherwise they become one
    /// transaction.
    ///
    /// - Parameter requests: Consecutive ranges of the lines, each of which fits a request to a listener.
    /// - Throws: ``ServiceError`` if the listener refuses, ``ArchiveError`` when the file can't be written.
    package func importLines(
        _ lines: [ImportedLine], requests: [Range<Int>], isUnread: Bool
    ) async throws -> ImportTally {
        var (tally, rest) = (ImportTally(), requests[...])
        while let first = rest.first, let last = rest.last {
            try await releaseIfDue()
            // The first request opens the file, or finds that a listener has it.
            let range = writer == nil ? first : first.lowerBound..<last.upperBound
            rest = rest.drop { $0.upperBound <= range.upperBound }
            let some = range == lines.indices ? lines : Array(lines[range])
            let change = StoreChange.importLines(account: account.name, some, isUnread: isUnread)
            tally = tally + (try await performUntilTaken(change).imported ?? ImportTally())
        }
        return tally
    }

    private func releaseIfDue() async throws {
        guard writer != nil, ContinuousClock.now - heldSince > Self.hold else { return }
        memory = try await writer?.importMemory()
        try await close()
        try await Task.sleep(for: Self.release)
    }

    private func performUntilTaken(_ change: StoreChange) async throws -> StoreOutcome {
        let start = ContinuousClock.now
        while true {
            do {
                return try await attempt(change)
            } catch {
                guard Self.isTransient(error), !Self.mayBeStored(change, error),
                    ContinuousClock.now - start < Self.timeout
                else { throw error }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Releases the file. A later change opens it again.
    package func close() async throws {
        try await writer?.close()
        writer = nil
    }

    private func attempt(_ change: StoreChange) async throws -> StoreOutcome {
        if writer == nil {
            if let outcome = try await ControlClient(folder: archive.folder).perform(change) { return outcome }
            heldSince = .now
            let writer = try await archive.openWriter(account)
            self.writer = writer
            if let memory { try await writer.resume(memory) }
            memory = nil
        }
        guard let writer else { return StoreOutcome() }
        return try await change.apply(to: writer)
    }

    /// Returns true if the listener may have stored the change before it fell silent, and would store it a second time: an
    /// import's lines that are new whatever the archive has. A repeated import compares them again.
    private static func mayBeStored(_ change: StoreChange, _ error: any Error) -> Bool {
        guard (error as? ServiceError)?.code == .listenerSilent, case .importLines(_, let lines, _) = change else {
            return false
        }
        return lines.contains { if case .message(let message) = $0 { message.alignment == .new } else { false } }
    }

    /// Returns true for errors that end quickly, while a listener starts or stops.
    private static func isTransient(_ error: any Error) -> Bool {
        switch error {
        case let error as ArchiveError: error.code == .locked
        case let error as ServiceError: error.code == .listenerSilent
        default: false
        }
    }
}
