import ChatModel
import Glibc
import Rendering
import Sessions
import Settings

/// The received and typed texts, and stdout. The actor runs on its own thread, because writing may wait for the reader.
package actor ChatRoom {
    /// The limit of texts that wait to be sent. Users type more slowly than a server reads, so a longer queue means
    /// that the server does not read.
    private static let maximumQueued = 16

    private let executor = QueueExecutor("chat")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let output: ChatOutput
    private let leaveRequest: LeaveRequest
    private let configuration: ChatConfiguration
    private var style: Style { configuration.style }
    private var receiver: ChatReceiver
    /// The screen of a terminal; nil in a pipe.
    private var screen: ChatScreen?
    private var terminal = TerminalMode()
    /// Typed texts that aren't being sent yet.
    private var queued: [String] = []
    /// The typed text of which the user was warned. The next Enter sends it.
    private var warned: String?
    private let outgoing = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(maximumQueued))
    /// The error after which nothing can be shown.
    private(set) var failure: (any Error)?

    init(_ configuration: ChatConfiguration, isTerminal: Bool, output: ChatOutput, leaveRequest: LeaveRequest) {
        self.output = output
        self.leaveRequest = leaveRequest
        self.configuration = configuration
        receiver = ChatReceiver(configuration, now: .now())
        screen = isTerminal ? ChatScreen(columns: TerminalMode.columns, style: configuration.style) : nil
    }

    /// The texts typed on the terminal, to be sent. Ends with ``endOutgoing()``.
    nonisolated var typedTexts: AsyncStream<String> { outgoing.stream }

    nonisolated func endOutgoing() {
        outgoing.continuation.finish()
    }

    /// Shows a read, and returns the time when the message is complete unless more is read.
    func received(_ read: Received) -> Timestamp? {
        show(receiver.receive(read))
        return receiver.deadline
    }

    func deadlinePassed(_ deadline: Timestamp, readsTaken: Int) {
        show(receiver.deadlinePassed(deadline, readsTaken: readsTaken))
    }

    /// Records that a text is about to be sent.
    func willSend(_ text: String) -> Echoes.Waiting {
        if let index = queued.firstIndex(of: text) { queued.remove(at: index) }
        return receiver.sent(text)
    }

    /// Takes over the terminal. A process in the background stops until it comes to the foreground, like other
    /// programs.
    func open() {
        guard screen != nil else { return }
        guard TerminalMode.isForeground else { return stopInBackground() }
        terminal.enter()
        write(screen?.open())
    }

    /// Shows a line of our own, on a terminal only.
    func showRemark(_ text: String) {
        if screen != nil { show(style.dim(text) + "\n") }
    }

    func typed(_ bytes: [UInt8]) {
        let (outgoing, limit) = (outgoing.continuation, Self.maximumQueued)
        var (queued, warned) = (queued, warned)
        let result = screen?.typed(bytes) { [configuration] text in
            if let problem = ChatText.problem(text) { return problem }
            if warned != text, let warning = configuration.warning(of: text) {
                warned = text
                return warning + "; to send it, press Enter again"
            }
            guard queued.count < limit else { return "the server has not accepted the last \(limit) messages yet" }
            guard case .enqueued = outgoing.yield(text) else { return "leaving" }
            queued.append(text)
            warned = nil
            return nil
        }
        (self.queued, self.warned) = (queued, warned)
        write(result?.output)
        for action in result?.actions ?? [] { act(action) }
    }

    func resized() {
        write(screen?.resized(columns: TerminalMode.columns))
    }

    /// Handles the continuation of the process, in the foreground or not.
    func continued() {
        if TerminalMode.isForeground { resized() } else { _ = screen?.close() }
        open()
    }

    /// Shows the rest, and restores the terminal. Nothing is read or typed after it.
    func close() {
        show(receiver.finish())
        write(screen?.close())
        terminal.restore(discarding: true)
    }

    /// Returns the report. Call it after ``close()``.
    func report(_ ending: ChatEnding, script: ChatScript?) -> ChatReport {
        let typed = screen.map(\.text) ?? ""
        return ChatReport(
            ending: ending, unconfirmed: receiver.echoes.waiting.map(\.text),
            unsent: queued + (typed.isEmpty ? [] : [typed]),
            script: script, wasAnswered: receiver.reads > 0)
    }

    /// Restores the terminal for the shell, and stops the process until the shell continues it.
    private func suspend() {
        write(screen?.close())
        terminal.restore(discarding: false)
        kill(0, SIGTSTP)
        // The process usually stops here, and SIGCONT follows when it continues. The kernel does not stop an orphaned
        // process group (POSIX), because no shell could continue it, so the code checks again after 200 ms.
        usleep(200_000)
        continued()
    }

    /// Stops the process until a shell brings it to the foreground.
    private func stopInBackground() {
        // `kill %1` ends the process and continues it at once. Stopping is not necessary in that case.
        usleep(100_000)
        // Reading from the terminal may have stopped us meanwhile, and a shell continued us in the foreground.
        if !leaveRequest.isRequested.isSet, !TerminalMode.isForeground { kill(0, SIGTTOU) }
    }

    private func act(_ action: ChatScreen.Action) {
        switch action {
        case .suspend: suspend()
        case .leave:
            write(screen?.note("leaving; press again to end at once"))
            leaveRequest.request()
        }
    }

    private func show(_ text: String) {
        write(screen == nil ? text : screen?.show(text))
    }

    private func write(_ text: String?) {
        guard let text, !text.isEmpty, failure == nil else { return }
        do {
            try output.write(text)
        } catch {
            failure = error
            leaveRequest.isRequested.set()
        }
    }
}
