import Listeners
import Rendering
import StreamChatWire
import Synchronization

extension ChatVisit {
    /// Between looks at whether what was sent has arrived.
    private static let acknowledgementPoll: Duration = .milliseconds(10)
    /// What the server says to a goodbye, and what was on its way, comes by then.
    private static let farewell: Duration = .milliseconds(500)
    /// Where a read is a message, a join and what follows it must not meet in one: in a server's, which has no `::END` to
    /// tell frames by in 2021-04, nor in other people's. Nothing comes back of a join that could be waited for.
    private static let joinPause: Duration = .milliseconds(100)

    /// Joins, and says what there is to say.
    func speak() async -> ChatEnding? {
        defer { hasSpoken.set() }
        do {
            try await connection.send(ClientFrame.join(name: configuration.name).encoded(configuration.revision))
            guard await settle() else { return nil }
            if configuration.framing == .chunk || configuration.revision == .april2021 {
                try? await Task.sleep(for: Self.joinPause)
            }
            await room.remark("joined as \(Sanitizer.line(configuration.name)); Ctrl-D leaves")
            if isTerminal {
                for await text in room.typedTexts { _ = try await say(text) }
            } else {
                await departure.asked.cancelling { await self.sayLines() }
            }
        } catch {
            // What can't be written to can't be read either: who hears says why.
        }
        return nil
    }

    /// Says goodbye when it is asked to, and waits until that has arrived, but not for ever.
    func leave() async -> ChatEnding? {
        await departure.asked.wait()
        guard !Task.isCancelled else { return nil }
        room.endSpeech()
        let hasArrived = Signal()
        await within(configuration.patience) {
            await self.hasSpoken.wait()
            guard await self.settle() else { return }
            hasArrived.set()
            await self.sayGoodbye()
        }
        return .left(hasArrived: hasArrived.isSet)
    }

    private func sayGoodbye() async {
        let frame = ClientFrame.leave.encoded(configuration.revision)
        guard !frame.isEmpty, (try? await connection.send(frame)) != nil, await settle() else { return }
        await within(Self.farewell) { await self.hasEnded.wait() }
    }

    /// Each line goes when the one before has come back, so that it is a read of its own for everyone.
    private func sayLines() async {
        var splitter = LineSplitter(maximumBytes: ChatText.maximumBytes)
        while !Task.isCancelled {
            switch await input.read() {
            case .bytes(let bytes): for line in splitter.read(bytes) where !Task.isCancelled { await say(line) }
            case .failed(let reason): return endLines { $0.fail(reason) }
            case .end where Task.isCancelled: return
            case .end:
                if let last = splitter.finish() { await say(last) }
                return endLines { $0.end() }
            }
        }
    }

    private func endLines(_ change: @Sendable (inout ChatScript) -> Void) {
        script.withLock { change(&$0) }
        if !configuration.stays || script.withLock({ $0.failure != nil }) { departure.asked.set() }
    }

    private func say(_ line: LineSplitter.Line) async {
        let step = script.withLock { $0.next(line) }
        switch step {
        case .skip: return
        case .refuse(let reason): StandardStream.note("scrollback: \(reason)\n")
        case .say(let text):
            guard let echo = try? await say(text) else { return }
            await within(configuration.patience) { await echo.hasCome.wait() }
            if !echo.hasCome.isSet, !Task.isCancelled, let note = script.withLock({ $0.wasNotHeard() }) {
                StandardStream.note("scrollback: \(note)\n")
            }
        }
    }

    private func say(_ text: String) async throws -> Echoes.Waiting {
        let echo = await room.says(text)
        try await connection.send(ClientFrame.message(text: text).encoded(configuration.revision))
        return echo
    }

    /// Whether everything sent has arrived, once it has; false when the connection is over.
    private func settle() async -> Bool {
        while !Task.isCancelled {
            guard !hasEnded.isSet, let acknowledgement = await connection.acknowledgement() else { return false }
            if acknowledgement.isComplete { return true }
            try? await Task.sleep(for: Self.acknowledgementPoll)
        }
        return false
    }

    /// Runs `operation` until it returns, the time is over, or the visit is to end at once.
    private func within(_ limit: Duration, _ operation: @escaping @Sendable () async -> Void) async {
        await withTaskGroup { group in
            group.addTask { await operation() }
            group.addTask { try? await Task.sleep(for: limit) }
            group.addTask { await self.departure.hurried.wait() }
            await group.next()
            group.cancelAll()
        }
    }
}
