package import Archive
package import ChatModel
import Rendering

/// Takes changes to where their account is written: to the listener that holds it, else to the file, which is let go of
/// with ``close()``.
package struct StoreWriting {
    package let archive: Archive
    package let account: AccountIdentity
    private var writer: AccountWriter?
    /// The minutes that the writer had read that was closed last.
    private var memory: ImportMemory?
    private var heldSince = ContinuousClock.now
    private var hold = Self.shortestHold

    /// A listener that has just started holds the file before it answers, and another command holds it for an instant.
    private static let patience = Duration.seconds(15)
    private static let pause = Duration.milliseconds(50)
    /// The file is let go of so often, because others wait for it, a listener that starts among them…
    private static let shortestHold = Duration.milliseconds(400)
    private static let longestHold = Duration.seconds(2)
    /// …but not before so many times as long have passed as opening it took, a minute with many messages being read anew…
    private static let leastUse = 8
    /// …and then for so long, because they look every 20 ms.
    private static let release = Duration.milliseconds(25)

    /// - Parameter account: Made with the first change, where there is none.
    package init(archive: Archive, account: AccountIdentity) {
        self.archive = archive
        self.account = account
    }

    /// Returns after COMMIT.
    ///
    /// - Throws: ``ServiceError`` when the listener refuses, ``ArchiveError`` when the file can't be written.
    @discardableResult
    package mutating func perform(_ change: StoreChange) async throws -> StoreOutcome {
        if writer != nil, ContinuousClock.now - heldSince > hold {
            memory = try await writer?.importMemory()
            try await close()
            try await Task.sleep(for: Self.release)
        }
        let start = ContinuousClock.now
        while true {
            do {
                return try await attempt(change)
            } catch {
                guard Self.mayPass(error), ContinuousClock.now - start < Self.patience else { throw error }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    package mutating func close() async throws {
        try await writer?.close()
        writer = nil
    }

    private mutating func attempt(_ change: StoreChange) async throws -> StoreOutcome {
        if writer == nil {
            if let outcome = try await ControlClient(folder: archive.folder).perform(change) { return outcome }
            heldSince = .now
            let writer = try await archive.openWriter(account)
            self.writer = writer
            if let memory { try await writer.resume(memory) }
            memory = nil
            let outcome = try await change.apply(to: writer)
            hold = min(max(Self.shortestHold, (ContinuousClock.now - heldSince) * Self.leastUse), Self.longestHold)
            return outcome
        }
        guard let writer else { return StoreOutcome() }
        return try await change.apply(to: writer)
    }

    /// A listener that starts or stops is gone in a moment.
    private static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case let error as ArchiveError: error.code == .locked
        case let error as ServiceError: error.code == .listenerSilent
        default: false
        }
    }
}
