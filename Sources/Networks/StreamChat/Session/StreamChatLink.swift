import ChatModel
import Sessions
import StreamChatWire

/// Runs a ``StreamChatSession`` on a connection. Four tasks give it its input.
struct StreamChatLink: Sendable {
    /// The time between two checks of the leave frame's arrival.
    private static let acknowledgementPoll: Duration = .milliseconds(10)

    let mailbox: Mailbox<StreamChatSession>
    let configuration: StreamChatConfiguration
    let connection: any Connection
    let reporter: Reporter
    private let isLeaving = Signal()
    private let hasCaughtUp = Signal()

    /// Runs until the connection ends or `stop` is set.
    ///
    /// - Parameter messages: The frames to send after the join.
    func run(messages: AsyncStream<[UInt8]>, until stop: Signal) async -> SessionAttempt.Closed {
        await mailbox.run(
            [readConnection, endUnits, watchForSilence, { await sendMessages(messages) }], until: stop, leave: leave)
    }

    private func readConnection() async -> SessionEnd? {
        await SessionEnd.reading { () throws(ConnectionError) in
            try await connection.forEachRead { received in
                let end = await step { $0.received(received, elapsed: mailbox.elapsed) }
                if isLeaving.isSet, isCaughtUp { hasCaughtUp.set() }
                return end
            }
        }
    }

    private func endUnits() async -> SessionEnd? {
        await mailbox.atWakes {
            await step { $0.wake(readsTaken: connection.readsTaken, elapsed: mailbox.elapsed) }
        }
    }

    private func watchForSilence() async -> SessionEnd? {
        while (try? await mailbox.tools.clock.sleep(for: configuration.signOfLifeInterval)) != nil {
            if let end = await sample() { return end }
        }
        return nil
    }

    private func sendMessages(_ messages: AsyncStream<[UInt8]>) async -> SessionEnd? {
        do {
            mailbox.withSession { $0.sendingJoin() }
            try await connection.send(ClientFrame.join(name: configuration.nick).encoded(configuration.revision))
            if !mailbox.withSession(\.isLive) { reporter.noteError(StreamChatListener.unanswered) }
            for await frame in messages { try await connection.send(frame) }
        } catch {
            // A connection that can't be written can't be read either, and the reading task reports the reason.
        }
        return nil
    }

    /// Sends the leave frame, and waits until it has arrived and the session has all earlier reads.
    private func leave() async {
        await within(configuration.leaveTimeout, of: mailbox.tools.clock) {
            let farewell = ClientFrame.leave.encoded(configuration.revision)
            if !farewell.isEmpty { try? await connection.send(farewell) }
            await settle()
        }
    }

    private func settle() async {
        isLeaving.set()
        if !isCaughtUp { await hasCaughtUp.wait() }
        while !Task.isCancelled {
            let acknowledgement = await connection.acknowledgement()
            if acknowledgement?.isComplete ?? true { return }
            try? await mailbox.tools.clock.sleep(for: Self.acknowledgementPoll)
        }
    }

    /// True if the session has every read that was taken from the socket.
    private var isCaughtUp: Bool {
        mailbox.withSession { $0.reads == connection.readsTaken }
    }

    private func sample() async -> SessionEnd? {
        let acknowledgement = await connection.acknowledgement()
        let end = await step {
            $0.sampled(acknowledgement, clock: mailbox.tools.readClocks(), elapsed: mailbox.elapsed)
        }
        let lastSignOfLife = mailbox.withSession { session in session.lastByte.map { session.receipts.wall(at: $0) } }
        if let lastSignOfLife { reporter.noteSignOfLife(at: lastSignOfLife) }
        return end
    }

    /// Gives the session one input, and waits for space in the buffer.
    private func step(_ input: (inout StreamChatSession) -> StreamChatSession.Step) async -> SessionEnd? {
        let end = mailbox.handle { session in
            let wasLive = session.isLive
            let step = input(&session)
            if session.isLive, !wasLive { reporter.connected() }
            if let wakeAt = session.wakeAt { mailbox.wake(at: wakeAt) }
            return (step.events, step.end)
        }
        await mailbox.waitForSpace()
        return end
    }
}
