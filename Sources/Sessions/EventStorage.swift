import ChatModel

/// Stores the events in a connection's buffer, batch by batch, in a separate task.
struct EventStorage: Sendable {
    private enum Outcome: Sendable {
        case ended(SessionEnd)
        case stored
        case failed(SessionEnd)
    }

    let opened: SessionAttempt.Opened
    let sink: any EventSink
    let reporter: Reporter
    let stop: Signal
    let clock: any Clock<Duration>
    /// The time limit for storing after a stop.
    let timeout: Duration

    private var buffer: EventBuffer { opened.buffer }

    /// Runs `connection`, and returns when it has ended and all its events are stored or can't be. Events that can't be
    /// stored become a gap: the session ends with the last stored one.
    func run(_ connection: @escaping @Sendable () async -> SessionEnd) async -> SessionEnd {
        let end = await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                let end = await connection()
                buffer.finish()
                return .ended(end)
            }
            group.addTask { await storeAll() }
            group.addTask {
                await stop.wait()
                guard (try? await clock.sleep(for: timeout)) != nil else { return .stored }
                buffer.abandon()
                reporter.noteUnstored(buffer.unstored)
                return .failed(
                    SessionEnd(reason: .store, detail: "the listener was stopped before everything was stored"))
            }
            var end: SessionEnd?
            for await outcome in group {
                switch outcome {
                case .ended(let reason):
                    end = end ?? reason
                case .stored:
                    group.cancelAll()
                case .failed(let reason):
                    end = end ?? reason
                    group.cancelAll()
                }
            }
            return end ?? SessionEnd(reason: .stopped)
        }
        if buffer.unstored > 0 { await close(detail: end.detail) }
        return end
    }

    /// Cancellation ends this only through the sink, which throws in that case.
    private func storeAll() async -> Outcome {
        while let batch = await buffer.next() {
            do {
                _ = try await sink.append(batch)
            } catch {
                buffer.abandon()
                return .failed(SessionEnd(reason: .store, detail: "the archive can't store events: \(error)"))
            }
        }
        return .stored
    }

    /// Ends the session at the last stored sign of life, because the session's own end was dropped with the other
    /// events.
    private func close(detail: String?) async {
        let ending = ChatEvent.sessionEnded(
            session: opened.id, at: opened.openedAt, reason: .store,
            detail: (detail.map { $0 + "; " } ?? "") + "\(buffer.unstored) events were not stored")
        // The same disk may still refuse writes. The next start closes the session in that case.
        _ = try? await sink.append([ending])
    }
}
