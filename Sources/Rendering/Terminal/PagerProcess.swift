import Glibc
import Synchronization

/// A running pager or editor, which has the terminal until it ends. A pager reads from this process.
///
/// Keys that stop programs (Ctrl-C, Ctrl-\) affect only that program. A signal to end this process ends the program
/// first, which restores the terminal.
package struct PagerProcess: Sendable {
    struct Failure: Error {
        let code: Int32

        var reason: String { String(cString: strerror(code)) }
    }

    private let id: pid_t
    /// The pipe to a pager; nil for an editor.
    private let input: Int32?

    /// - Parameter script: A script for `/bin/sh`.
    init(script: String, environment: [String: String]) throws(Failure) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(code: errno) }
        PagerSignals.take()
        let (code, id) = Self.spawn(["/bin/sh", "-c", script], environment: environment, pipe: ends)
        close(ends[0])
        guard code == 0 else {
            close(ends[1])
            PagerSignals.restoreDefaults()
            throw Failure(code: code)
        }
        PagerSignals.forward(to: id)
        self.id = id
        input = ends[1]
    }

    /// Starts an editor.
    ///
    /// - Parameter script: The start of a script for `/bin/sh`, to which the file's path is added.
    init(editing path: String, script: String, environment: [String: String]) throws(Failure) {
        PagerSignals.take()
        let words = ["/bin/sh", "-c", script + " \"$@\"", script, path]
        let (code, id) = Self.spawn(words, environment: environment, pipe: [])
        guard code == 0 else {
            PagerSignals.restoreDefaults()
            throw Failure(code: code)
        }
        PagerSignals.forward(to: id)
        (self.id, input) = (id, nil)
    }

    /// Writes a part of the text to a pager.
    ///
    /// - Throws: ``ReaderLeft`` if the pager has ended, or reads no more.
    package func write(_ text: String) throws(ReaderLeft) {
        guard let input else { return }
        do {
            try FileDescriptorWriter(descriptor: input).write(text)
        } catch {
            throw ReaderLeft()
        }
    }

    /// Ends the text and waits for the program's end.
    ///
    /// - Returns: The program's status as a shell gives it.
    /// - Throws: ``EndedBySignal`` if a signal asks this process to end meanwhile.
    @discardableResult
    package func wait() throws(EndedBySignal) -> Int32 {
        if let input { close(input) }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        if let signal = PagerSignals.restoreDefaults() { throw EndedBySignal(signal: signal) }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Starts a process in this process group. Foundation's `Process` makes another group, which may not read from the
    /// terminal.
    private static func spawn(
        _ arguments: [String], environment: [String: String], pipe: [Int32]
    ) -> (code: Int32, id: pid_t) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let end = pipe.first { posix_spawn_file_actions_adddup2(&actions, end, 0) }
        for end in pipe { posix_spawn_file_actions_addclose(&actions, end) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = PagerSignals.ignored
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // Unblocks the signals, because the threads of Swift's tasks have all signals blocked, which a process
        // inherits.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var words = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var id: pid_t = 0
        return (posix_spawn(&id, arguments[0], &actions, &attributes, &words, &variables), id)
    }
}

/// The handling of signals in this process while a pager runs.
private enum PagerSignals {
    /// The signals that the pager must not inherit as ignored. The program ignores SIGPIPE from its start.
    static var ignored: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in fromKeys + [SIGPIPE] { sigaddset(&set, signal) }
        return set
    }

    private static let fromKeys = [SIGINT, SIGQUIT]
    private static let toEnd = [SIGTERM, SIGHUP]
    private static let pager = Atomic<pid_t>(0)
    private static let received = Atomic<Int32>(0)

    static func take() {
        // Initialises the global here, because its first use must not be in a handler.
        pager.store(0, ordering: .relaxed)
        received.store(0, ordering: .relaxed)
        for number in fromKeys { signal(number, SIG_IGN) }
        for number in toEnd {
            signal(number) { number in
                PagerSignals.received.store(number, ordering: .relaxed)
                let id = PagerSignals.pager.load(ordering: .relaxed)
                // Sends SIGTERM, because `less` does not restore the terminal after SIGHUP.
                if id > 0 { kill(id, SIGTERM) }
            }
        }
    }

    static func forward(to id: pid_t) {
        pager.store(id, ordering: .sequentiallyConsistent)
        if received.load(ordering: .sequentiallyConsistent) > 0 { kill(id, SIGTERM) }
    }

    /// - Returns: The received signal that is meant to end this process, if any.
    @discardableResult
    static func restoreDefaults() -> Int32? {
        for number in fromKeys + toEnd { signal(number, SIG_DFL) }
        let number = received.load(ordering: .relaxed)
        return number > 0 ? number : nil
    }
}

/// The error of a call that a signal to end this process interrupted.
package struct EndedBySignal: Error {
    /// The number of the signal.
    package let signal: Int32

    package init(signal: Int32) {
        self.signal = signal
    }

    /// The exit status by which a shell reports a process that a signal ended.
    package var status: Int32 { 128 + signal }
}
