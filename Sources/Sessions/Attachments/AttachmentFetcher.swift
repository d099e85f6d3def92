package import ChatModel
package import Logging

/// A client of a network that has files.
package protocol FileClient: Sendable {
    /// Requests a file by its place on the network.
    ///
    /// - Parameters:
    ///   - offset: The first byte to read. The answer may begin at 0 instead (``FetchedFile/offset``).
    ///   - tag: ``FetchedFile/tag`` of the answer that this call continues.
    /// - Throws: ``CallError``, whose codes say what becomes of the file.
    func file(_ path: String, from offset: Int, tag: String?) async throws -> FetchedFile
}

/// Fetches the files of messages and pictures, beside the session: a few at once, each continued after a break. The file
/// is stored first, and its row after it.
package struct AttachmentFetcher: Sendable {
    package let client: any FileClient
    package let store: any AttachmentStore
    package let limits: AttachmentLimits
    package let clock: any Clock<Duration>
    package let wallClock: @Sendable () -> Timestamp
    package let logger: Logger

    /// The number of files to read from the store at once.
    private static let batch = 64

    package init(
        client: any FileClient, store: any AttachmentStore, limits: AttachmentLimits,
        clock: any Clock<Duration> = ContinuousClock(), wallClock: @escaping @Sendable () -> Timestamp = { .now() },
        logger: Logger
    ) {
        (self.client, self.store, self.limits) = (client, store, limits)
        (self.clock, self.wallClock, self.logger) = (clock, wallClock, logger)
    }

    /// Fetches every wanted file as soon as the store has its row, until the task is cancelled.
    package func run() async {
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        // True once the store has the limit. Retried while the store fails.
        var isRaised = !limits.fetchesAll
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in store.attachmentUpdates() { wake.yield() } }
            // The time of the next alarm.
            var alarm: Timestamp?
            for await _ in wakes {
                if !isRaised { isRaised = (try? await store.raiseAttachmentLimit(to: limits.bytes)) != nil }
                let next = await fetchDue()
                let now = wallClock()
                guard let next, alarm.map({ $0 <= now || next < $0 }) ?? true else { continue }
                alarm = next
                group.addTask { [clock] in
                    try? await clock.sleep(for: max(.milliseconds(1), next.since(now)))
                    wake.yield()
                }
            }
            group.cancelAll()
        }
    }

    /// - Returns: The time when more files may be due; nil if none are planned.
    private func fetchDue() async -> Timestamp? {
        do {
            try await fetchAll()
            return limits.fetchesAll ? try await store.nextAttachmentTry() : nil
        } catch {
            // A failed login ends the connection in another place.
            if !Task.isCancelled {
                logger.warning("pausing the fetching of files", metadata: ["reason": "\(error)"])
            }
            return wallClock().advanced(by: limits.storePause)
        }
    }

    /// Fetches all files that are due.
    ///
    /// - Parameter isPaused: Called between two files. Returns true to leave the others for later.
    /// - Throws: `CancellationError`, ``CallError`` if the service refuses the account, and any error of the store.
    package func fetchAll(isPaused: @escaping @Sendable () -> Bool = { false }) async throws {
        while !isPaused() {
            let wanted = try await store.wantedAttachments(
                isRequestedOnly: !limits.fetchesAll, at: wallClock(), limit: Self.batch)
            guard !wanted.isEmpty else { return }
            var seen: Set<[UInt8]> = []
            let files = wanted.filter { seen.insert(Array($0.path.utf8)).inserted }
            try await withThrowingTaskGroup(of: Void.self) { group in
                var running = 0
                for file in files where !isPaused() {
                    if running == limits.atOnce {
                        try await group.next()
                        running -= 1
                    }
                    running += 1
                    group.addTask { try await fetch(file) }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Fetches one file. After that, the store has the file or the reason of the failure.
    ///
    /// - Throws: Errors that are not about this file.
    private func fetch(_ file: WantedAttachment) async throws {
        let receipt = try await store.receiveAttachment(file.path)
        do {
            try await receive(file.path, receipt)
        } catch let error as CallError {
            guard ![.accountStopped, .needsLogin].contains(error.code) else {
                await receipt.keep()
                throw error
            }
            if [.cut, .unavailable, .tooManyCalls].contains(error.code) {
                await receipt.keep()
            } else {
                await receipt.discard()
            }
            try await store.noteAttachment(file.path, failure(error, after: file.attempts), at: wallClock())
        } catch is CancellationError {
            await receipt.keep()
            throw CancellationError()
        } catch {
            // The store itself failed, so its space is worth more than the beginning of a file.
            await receipt.discard()
            let failure = AttachmentFailure(
                .failed, detail: "\(error)", nextTry: wallClock().advanced(by: limits.storePause), isAttempt: false)
            try? await store.noteAttachment(file.path, failure, at: wallClock())
            throw error
        }
    }

    private func receive(_ path: String, _ receipt: any AttachmentReceiver) async throws {
        var (place, tag) = (receipt.part?.size ?? 0, receipt.part?.tag)
        var resumes = 0
        while true {
            let before = place
            do {
                let file = try await client.file(path, from: Int(place), tag: place > 0 ? tag : nil)
                // Continues only a file that is certainly the same.
                let isSame = file.offset == 0 || file.strongTag == nil || file.strongTag == tag
                guard isSame else {
                    (place, tag) = (0, nil)
                    continue
                }
                (place, tag) = (Int64(file.offset), file.strongTag ?? (file.offset > 0 ? tag : nil))
                try await receipt.begin(at: place, tag: tag, total: file.total.map(Int64.init))
                for try await piece in file {
                    try await receipt.write(piece)
                    place += Int64(piece.count)
                }
                return try await receipt.finish(at: wallClock())
            } catch let error as CallError where error.code == .cut {
                guard resumes < limits.resumes, place > before || resumes == 0 else { throw error }
                resumes += 1
                if tag == nil { place = 0 }
            }
        }
    }

    private func failure(_ error: CallError, after attempts: Int) -> AttachmentFailure {
        switch error.code {
        case .tooLarge:
            AttachmentFailure(
                .tooLarge(limit: limits.bytes, bytes: error.bytes.map(Int64.init)), detail: error.detail)
        case .gone: AttachmentFailure(.gone, detail: error.detail)
        case .foreignOrigin: AttachmentFailure(.otherServer, detail: error.detail)
        default: AttachmentFailure(.failed, detail: error.detail, nextTry: nextTry(after: attempts))
        }
    }

    private func nextTry(after attempts: Int) -> Timestamp? {
        guard attempts + 1 < limits.attempts else { return nil }
        let wait = min(limits.backoff.first * (1 << min(attempts, 20)), limits.backoff.longest)
        return wallClock().advanced(by: wait)
    }
}

extension FetchedFile {
    /// The tag if it identifies the content byte for byte, which is required for continuing (RFC 9110 §13.1.5); nil for
    /// a weak tag.
    fileprivate var strongTag: String? {
        tag.flatMap { $0.hasPrefix("W/") ? nil : $0 }
    }
}
