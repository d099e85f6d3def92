package import Archive
package import ChatModel
import Files
import Logging
import Reading
import Rendering
import Sessions
package import Settings
import Writing

/// Fetches the files of one account: through its running listener, or by logging in.
package struct AttachmentSource: Sendable {
    package let archive: Archive
    package let account: AccountIdentity
    /// The account's settings; nil if the configuration doesn't have the account.
    package let settings: AccountConfiguration?
    package let signals: StopSignals
    /// The time when the command began.
    package let begun: Timestamp

    package init(
        archive: Archive, account: AccountIdentity, settings: AccountConfiguration?, signals: StopSignals,
        begun: Timestamp
    ) {
        (self.archive, self.account, self.settings, self.signals) = (archive, account, settings, signals)
        self.begun = begun
    }

    private static let interval = Duration.milliseconds(200)
    /// The interval at which the file is released, because other processes may wait for it, such as a listener that
    /// starts.
    private static let hold = Duration.seconds(2)
    /// The time for which the file is released, because other processes try every 20 ms.
    private static let release = Duration.milliseconds(60)

    /// Fetches the requested files. Returns when all of them were fetched or have failed, or after a signal.
    ///
    /// - Throws: ``ServiceError`` if the network can't be reached, ``ArchiveError`` when the account's file can't be
    ///   written.
    package func fetch(_ request: AttachmentRequest) async throws {
        let line = AttachmentProgress(account: account.name)
        defer { line.clear() }
        let change = StoreChange.requestAttachments(account: account.name, request)
        if try await ControlClient(folder: archive.folder).perform(change) != nil {
            try await waitForListener(line)
            return
        }
        let writer = try await archive.openWriter(account)
        let waiting: Int
        do {
            waiting = try await change.apply(to: writer).requested ?? 0
        } catch {
            try? await writer.close()
            throw error
        }
        try await writer.close()
        if waiting > 0 { try await fetchAlone(line) }
    }

    // MARK: Through the listener

    private func waitForListener(_ line: AttachmentProgress) async throws {
        while signals.number == 0 {
            let tally = try await tally()
            line.show(tally)
            guard tally.waiting > 0 else { return }
            guard let statuses = try await ControlClient(folder: archive.folder).status() else {
                return try await fetchAlone(line)
            }
            let status = statuses.first { $0.account == account.name }
            if status?.state == .needsLogin {
                throw ServiceError(
                    .notFetched,
                    "the listener can't log in: \(Sanitizer.line(status?.lastError ?? "no reason given"))",
                    hint: "fix that and restart the listener, which then fetches the files")
            }
            try await Task.sleep(for: Self.interval)
        }
    }

    private func tally() async throws -> AttachmentTally {
        try await onThread { [archive, account, begun] in
            try archive.reading().files.attachmentTally(account: account.name, since: begun)
        }
    }

    // MARK: Alone

    private func fetchAlone(_ line: AttachmentProgress) async throws {
        guard let settings else {
            throw ServiceError(
                .notFetched, "account \"\(Sanitizer.line(account.name))\" is not in the configuration",
                hint: "choose the configuration that has it with --config FILE")
        }
        var writer: AccountWriter? = try await archive.openWriter(account)
        let folder = writer?.folderPath ?? ""
        do {
            try await settings.network.listened.withFileClient(folder: folder, logger: Logger(label: "network")) {
                client in
                var limits = AttachmentLimits()
                limits.bytes = settings.fileSizeLimit ?? limits.bytes
                while let held = writer {
                    try await fetch(client, into: held, limits, line)
                    let isDone = try await held.wantedAttachments(isRequestedOnly: true, at: .now(), limit: 1).isEmpty
                    try await held.close()
                    writer = nil
                    guard !isDone, signals.number == 0 else { return }
                    try await Task.sleep(for: Self.release)
                    writer = try await archive.openWriter(account)
                }
            }
        } catch let error as ArchiveError where error.code == .locked && writer == nil {
            // A listener that has started meanwhile continues to fetch them.
            try await waitForListener(line)
        } catch let error as CallError {
            try? await writer?.close()
            throw ServiceError(
                .notFetched, "account \"\(Sanitizer.line(account.name))\": \(Sanitizer.line(error.detail))",
                hint: "fix that and run the same command again")
        } catch {
            try? await writer?.close()
            throw error
        }
    }

    /// Fetches until all files are here, or it is the turn of other processes. A signal interrupts a file, which is
    /// resumed later.
    private func fetch(
        _ client: any FileClient, into writer: AccountWriter, _ limits: AttachmentLimits, _ line: AttachmentProgress
    ) async throws {
        let files = AttachmentFetcher(client: client, store: writer, limits: limits, logger: Logger(label: "network"))
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { [signals] in
                try await files.fetchAll { signals.number != 0 || ContinuousClock.now - start > Self.hold }
                return true
            }
            group.addTask { [self] in
                while signals.number == 0 {
                    if let tally = try? await tally() { line.show(tally) }
                    try await Task.sleep(for: Self.interval)
                }
                return false
            }
            _ = try await group.next()
            group.cancelAll()
            // One of the two is always cancelled.
            do { try await group.waitForAll() } catch is CancellationError {}
        }
    }
}
