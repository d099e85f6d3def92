import ChatModel
import Glibc
package import Sessions
package import Settings
import StreamChatWire
import Synchronization
import UnixSignals

/// One session in a room: joins, receives, sends, leaves. It has separate tasks for received bytes, the keyboard,
/// sending and signals.
package final class ChatSession: Sendable {
    package let configuration: ChatConfiguration
    package let connection: any Connection
    package let isTerminal: Bool
    package let room: ChatRoom
    let input: StandardInput
    private let output: ChatOutput
    let leaveRequest = LeaveRequest()
    let script = Mutex(ChatScript())
    let hasSentAll = Signal()
    let hasEnded = Signal()
    private let isOver = Signal()
    private let deadlines = AsyncStream<Timestamp>.makeStream(bufferingPolicy: .bufferingNewest(1))

    package init(_ configuration: ChatConfiguration, connection: any Connection, isTerminal: Bool) throws {
        (self.configuration, self.connection, self.isTerminal) = (configuration, connection, isTerminal)
        input = try StandardInput()
        output = try ChatOutput()
        room = ChatRoom(configuration, isTerminal: isTerminal, output: output, leaveRequest: leaveRequest)
    }

    /// Runs the session until we leave or the server ends it, and restores the terminal.
    ///
    /// - Throws: An error if stdout can't be written.
    package func run() async throws -> ChatReport {
        let endings = await UnixSignalsSequence(trapping: Self.endingSignals)
        let changes = await UnixSignalsSequence(trapping: isTerminal ? [.sigwinch, .sigcont] : [])
        let ending = await withTaskGroup { group in
            group.addTask { await self.follow(endings) }
            await room.open()
            let ending = await runTasks(changes)
            await room.close()
            group.cancelAll()
            return ending
        }
        if let failure = await room.failure, !isTerminal, !(failure is ChatOutput.Abandoned) { throw failure }
        return await room.report(ending, script: isTerminal ? nil : script.withLock { $0 })
    }

    private func runTasks(_ changes: UnixSignalsSequence) async -> ChatEnding {
        await withTaskGroup(of: ChatEnding?.self) { group in
            group.addTask { await self.receive() }
            group.addTask { await self.endMessages() }
            group.addTask { await self.sendMessages() }
            group.addTask { await self.leave() }
            if isTerminal {
                group.addTask { await self.follow(changes: changes) }
                group.addTask { await self.followKeyboard() }
            }
            for await case let ending? in group {
                group.cancelAll()
                isOver.set()
                if leaveRequest.isInterrupted.isSet { output.abandon() }
                return ending
            }
            return .left(hasArrived: true)
        }
    }

    /// The signals that end a session. A process that should outlive its terminal (`nohup`) ignores SIGHUP.
    private static var endingSignals: [UnixSignal] {
        var hangUp = sigaction()
        sigaction(SIGHUP, nil, &hangUp)
        let isIgnored = unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self) == 1
        return isIgnored ? [.sigterm, .sigint] : [.sigterm, .sigint, .sighup]
    }

    // MARK: Receiving

    private func receive() async -> ChatEnding? {
        defer { hasEnded.set() }
        do {
            let _: Void? = try await connection.forEachRead { received in
                if let deadline = await room.received(received) { deadlines.continuation.yield(deadline) }
                return nil
            }
            return leaveRequest.isRequested.isSet ? nil : .lost("the server closed the connection")
        } catch {
            return leaveRequest.isRequested.isSet ? nil : .lost(error.detail)
        }
    }

    private func endMessages() async -> ChatEnding? {
        for await deadline in deadlines.stream {
            // A clock that was set back must not hold a message for long.
            let wait = min(deadline.since(.now()), .seconds(2))
            if wait > .zero { try? await Task.sleep(for: wait) }
            await room.deadlinePassed(deadline, readsTaken: connection.readsTaken)
        }
        return nil
    }

    // MARK: Keyboard and signals

    private func followKeyboard() async -> ChatEnding? {
        while !Task.isCancelled {
            guard case .bytes(let bytes) = await input.read() else { break }
            await room.typed(bytes)
        }
        // The terminal no longer exists, or the session is over in any case.
        leaveRequest.isRequested.set()
        return nil
    }

    /// Handles the signals that end a session. One that comes after the end also ends the wait for the reader of our
    /// output.
    private func follow(_ endings: UnixSignalsSequence) async {
        for await _ in endings {
            leaveRequest.interrupt()
            if isOver.isSet { output.abandon() }
        }
    }

    private func follow(changes: UnixSignalsSequence) async -> ChatEnding? {
        for await signal in changes {
            if signal == .sigwinch { await room.resized() } else { await room.continued() }
        }
        return nil
    }
}
