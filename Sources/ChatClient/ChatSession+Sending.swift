import Rendering
import Sessions
import Settings
import StreamChatWire
import Synchronization

extension ChatSession {
    /// The time between two checks of the arrival of all sent bytes.
    private static let acknowledgementPoll: Duration = .milliseconds(10)
    /// The time in which the server's answer to a goodbye arrives.
    private static let farewell: Duration = .milliseconds(500)
    /// The pause after a join. On servers without frame ends a read is a message, so the join and the next text must
    /// not arrive in the same read: neither at a server of 2021-04, whose frames have no `::END`, nor at other people's
    /// clients. A server does not confirm a join, so the session can only wait for a time.
    private static let joinPause: Duration = .milliseconds(100)

    /// Joins, and sends the typed texts or the lines of stdin.
    func sendMessages() async -> ChatEnding? {
        defer { hasSentAll.set() }
        do {
            try await connection.send(ClientFrame.join(name: configuration.name).encoded(configuration.revision))
            guard await settle() else { return nil }
            if configuration.framing == .chunk || configuration.revision == .april2021 {
                try? await Task.sleep(for: Self.joinPause)
            }
            await room.showRemark(
                "joined as \(Sanitizer.line(configuration.name)); /quit leaves, /help lists the commands")
            if isTerminal {
                for await text in room.typedTexts { _ = try await send(text) }
            } else {
                await leaveRequest.isRequested.cancelling { await self.sendLines() }
            }
        } catch {
            // A connection that can't be written can't be read either, and the reading task reports the reason.
        }
        return nil
    }

    /// Leaves when the user asks for it, and waits until the goodbye has arrived, at most for the configured time.
    func leave() async -> ChatEnding? {
        await leaveRequest.isRequested.wait()
        guard !Task.isCancelled else { return nil }
        room.endOutgoing()
        let hasArrived = Signal()
        await within(configuration.timeout) {
            await self.hasSentAll.wait()
            guard await self.settle() else { return }
            hasArrived.set()
            await self.sendLeave()
        }
        return .left(hasArrived: hasArrived.isSet)
    }

    private func sendLeave() async {
        let frame = ClientFrame.leave.encoded(configuration.revision)
        guard !frame.isEmpty, (try? await connection.send(frame)) != nil, await settle() else { return }
        await within(Self.farewell) { await self.hasEnded.wait() }
    }

    /// Sends each line after the server sent the previous one back, so that everyone receives it in a separate read.
    private func sendLines() async {
        var splitter = ScriptLineSplitter(maximumBytes: ChatText.maximumBytes)
        while !Task.isCancelled {
            switch await input.read() {
            case .bytes(let bytes): for line in splitter.split(bytes) where !Task.isCancelled { await send(line) }
            case .failed(let reason): return endLines { $0.fail(reason) }
            case .end where Task.isCancelled: return
            case .end:
                if let last = splitter.finish() { await send(last) }
                return endLines { $0.end() }
            }
        }
    }

    private func endLines(_ change: @Sendable (inout ChatScript) -> Void) {
        script.withLock { change(&$0) }
        if !configuration.keepsListening || script.withLock({ $0.failure != nil }) { leaveRequest.isRequested.set() }
    }

    private func send(_ line: ScriptLineSplitter.Line) async {
        let step = script.withLock { $0.next(line) }
        switch step {
        case .skip: return
        case .refuse(let reason): StandardStream.note("scrollback: \(reason)\n")
        case .send(let text):
            if let warning = configuration.warning(of: text) {
                StandardStream.note("scrollback: line \(script.withLock { $0.number }) is sent, but \(warning)\n")
            }
            guard let echo = try? await send(text) else { return }
            await within(configuration.timeout) { await echo.hasReturned.wait() }
            if !echo.hasReturned.isSet, !Task.isCancelled, let note = script.withLock({ $0.wasNotConfirmed() }) {
                StandardStream.note("scrollback: \(note)\n")
            }
        }
    }

    private func send(_ text: String) async throws -> Echoes.Waiting {
        let echo = await room.willSend(text)
        try await connection.send(ClientFrame.message(text: text).encoded(configuration.revision))
        return echo
    }

    /// Waits until all sent bytes have arrived, and returns true; false if the connection has ended.
    private func settle() async -> Bool {
        while !Task.isCancelled {
            guard !hasEnded.isSet, let acknowledgement = await connection.acknowledgement() else { return false }
            if acknowledgement.isComplete { return true }
            try? await Task.sleep(for: Self.acknowledgementPoll)
        }
        return false
    }

    /// Runs `operation` until it returns, the time is over, or the session must end at once.
    private func within(_ limit: Duration, _ operation: @escaping @Sendable () async -> Void) async {
        await withTaskGroup { group in
            group.addTask { await operation() }
            group.addTask { try? await Task.sleep(for: limit) }
            group.addTask { await self.leaveRequest.isUrgent.wait() }
            await group.next()
            group.cancelAll()
        }
    }
}
