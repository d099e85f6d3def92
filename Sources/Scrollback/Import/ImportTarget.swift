import Archive
import ChatModel

/// Takes imported lines to where their account is written: to the listener that holds it, else to the file.
///
/// Sending lines twice does no harm: they are known the second time.
struct ImportTarget {
    let archive: Archive
    let account: AccountIdentity
    private var writer: AccountWriter?
    private var heldSince = ContinuousClock.now
    private var hold = Self.shortestHold

    /// As in ``StoreWriting``: a listener that has just started holds the file before it answers.
    private static let patience = Duration.seconds(5)
    private static let pause = Duration.milliseconds(50)
    /// The file is let go of so often, because others wait a second for it, a listener that starts among them…
    private static let shortestHold = Duration.milliseconds(400)
    /// …but not before so many times as long have passed as opening it took, a minute with many messages being read anew…
    private static let leastUse = 8
    /// …and then for so long, because they look every 20 ms.
    private static let release = Duration.milliseconds(25)

    init(archive: Archive, account: AccountIdentity) {
        self.archive = archive
        self.account = account
    }

    /// Returns after COMMIT. The account is made with the first lines.
    mutating func store(_ lines: [ImportedLine]) async throws -> ImportTally {
        if writer != nil, ContinuousClock.now - heldSince > hold {
            try await close()
            try await Task.sleep(for: Self.release)
        }
        let start = ContinuousClock.now
        while true {
            do {
                return try await tryStoring(lines)
            } catch {
                guard Self.mayPass(error), ContinuousClock.now - start < Self.patience else { throw error }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    mutating func close() async throws {
        try await writer?.close()
        writer = nil
    }

    private mutating func tryStoring(_ lines: [ImportedLine]) async throws -> ImportTally {
        if writer == nil {
            if let tally = try await ControlClient(folder: archive.folder).importLines(lines, into: account.name) {
                return tally
            }
            heldSince = .now
            let writer = try await archive.openWriter(account)
            self.writer = writer
            let tally = try await writer.importLines(lines, at: .now())
            hold = max(Self.shortestHold, (ContinuousClock.now - heldSince) * Self.leastUse)
            return tally
        }
        guard let writer else { return ImportTally() }
        return try await writer.importLines(lines, at: .now())
    }

    /// A listener that starts or stops is gone in a moment.
    private static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case let error as ArchiveError: error.code == .locked
        case let error as CommandError: error.page == .listenerSilent
        default: false
        }
    }
}
