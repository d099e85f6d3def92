package import ChatModel
import Glibc
package import Reading
import Rendering

/// The reader on a terminal: it draws the model, and gives it keys, answers and changes of files.
///
/// Call it on the main thread. Nothing runs while no key is pressed and no file changes.
package struct ReaderProgram {
    /// Marks a room as read up to a message, on any thread, and then calls `done` with the reason if that failed.
    package typealias Marking =
        @Sendable (_ room: RoomKey, _ through: MessageID, _ done: @escaping @Sendable (String?) -> Void) -> Void

    private let reading: ArchiveReading
    private let fetcher: ArchiveFetcher
    private let wantsColour: Bool
    private let mark: Marking
    private var model: ReaderModel

    /// The shortest time between two readings of the visible messages because files changed; 100 ms, so that an import
    /// costs little.
    private static let refreshPause = Duration.milliseconds(100)
    /// The same for the list of rooms: 2 s.
    private static let roomsPause = Duration.seconds(2)

    package init(
        _ reading: ArchiveReading, fetcher: ArchiveFetcher, model: ReaderModel, wantsColour: Bool,
        mark: @escaping Marking
    ) {
        (self.reading, self.fetcher, self.wantsColour, self.mark) = (reading, fetcher, wantsColour, mark)
        self.model = model
    }

    /// The size of the terminal on stdout.
    package static var size: ScreenSize {
        var window = winsize()
        let isKnown = ioctl(1, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0 && window.ws_row > 0
        return isKnown
            ? ScreenSize(columns: Int(window.ws_col), rows: Int(window.ws_row)) : ScreenSize(columns: 80, rows: 24)
    }

    /// Checks that the library for full screens is there.
    ///
    /// - Throws: ``OutputError`` if it is missing.
    package static func requireLibrary() throws { _ = try NCurses.load() }

    /// Shows the reader until the person quits.
    ///
    /// - Returns: The command that opens the last place.
    /// - Throws: ``EndedBySignal`` if a signal or a lost terminal ends it; ``OutputError`` if it can't begin.
    package mutating func run() throws -> String {
        let (inbox, watch) = (Inbox(), FolderWatch())
        let queue = RequestQueue(answer: fetcher.answer) { inbox.add(.answer($0, $1)) }
        let terminal = try CursesTerminal(wantsColour: wantsColour)
        TerminalSignals.take(into: inbox.end)
        defer {
            queue.cancelAll()
            terminal.end()
            TerminalSignals.restoreDefaults()
        }
        var session = Session(terminal: terminal, queue: queue, inbox: inbox, watch: watch)
        watch.add((try? reading.watchedFolders()) ?? [])
        perform(model.begin(), &session)
        while !session.isOver {
            terminal.draw(model.screen)
            try wait(&session)
        }
        return model.placeCommand
    }

    /// The parts of a running reader.
    private struct Session {
        let terminal: CursesTerminal
        let queue: RequestQueue
        let inbox: Inbox
        let watch: FolderWatch
        var isOver = false
        /// The earliest instants of the next readings because files changed, and true if files have changed.
        var messages = Pause()
        var rooms = Pause()
    }

    /// A reading that happens at most once in some time.
    private struct Pause {
        var next = ContinuousClock.now
        var isDue = false

        /// Returns true if it is time to read, and begins the pause after it.
        mutating func take(_ pause: Duration, at now: ContinuousClock.Instant) -> Bool {
            guard isDue, now >= next else { return false }
            (next, isDue) = (now + pause, false)
            return true
        }
    }

    /// Waits for a key, an answer, a signal or a change, and handles it.
    private mutating func wait(_ session: inout Session) throws {
        var waiting = [0, session.inbox.descriptor, session.watch.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let count = poll(&waiting, nfds_t(waiting.count), Self.milliseconds(until: session))
        guard count >= 0 || errno == EINTR else { throw EndedBySignal(signal: SIGHUP) }
        for item in session.inbox.take() { try handle(item, &session) }
        if waiting[2].revents != 0, session.watch.hasChanged() {
            (session.messages.isDue, session.rooms.isDue) = (true, true)
        }
        try readKeys(isReady: count > 0 ? waiting[0].revents : 0, &session)
        let now = ContinuousClock.now
        if session.messages.take(Self.refreshPause, at: now) { perform(model.changed(), &session) }
        if session.rooms.take(Self.roomsPause, at: now) {
            session.watch.add((try? reading.watchedFolders()) ?? [])
            perform(model.changedRooms(), &session)
        }
    }

    /// Returns the time to the next reading that is due, in milliseconds; -1 to wait for ever.
    private static func milliseconds(until session: Session) -> Int32 {
        let due = [session.messages, session.rooms].filter(\.isDue).map(\.next).min()
        guard let due else { return -1 }
        let left = due - .now
        return Int32(max(0, min(left / .milliseconds(1), 10_000))) + 1
    }

    private mutating func readKeys(isReady: Int16, _ session: inout Session) throws {
        guard isReady != 0 else { return }
        let keys = session.terminal.keys()
        for key in keys where !session.isOver { perform(model.press(key), &session) }
        guard keys.isEmpty else { return }
        // The terminal is gone, without a signal.
        var bytes: Int32 = 0
        let isGone = Int32(isReady) & (POLLHUP | POLLERR | POLLNVAL) != 0
        guard isGone || ioctl(0, UInt(FIONREAD), &bytes) != 0 else { return }
        throw EndedBySignal(signal: SIGHUP)
    }

    private mutating func handle(_ item: Inbox.Item, _ session: inout Session) throws {
        switch item {
        case .answer(let request, let answer): perform(model.receive(request, answer), &session)
        case .marked(let room, let failure): perform(model.marked(room, failure: failure), &session)
        case .signal(SIGWINCH), .signal(SIGCONT):
            session.terminal.resize(Self.size)
            perform(model.resize(Self.size), &session)
        case .signal(let number): throw EndedBySignal(signal: number)
        }
    }

    private mutating func perform(_ effects: [ReaderEffect], _ session: inout Session) {
        for effect in effects {
            switch effect {
            case .ask(let request): session.queue.add(request)
            case .markRead(let room, let id):
                let inbox = session.inbox
                mark(room, id) { inbox.add(.marked(room, failure: $0)) }
            case .copy(let text): session.terminal.copy(text)
            case .open(let link): if !LinkOpener.open(link) { session.terminal.copy(link) }
            case .redraw: session.terminal.redraw()
            case .suspend: suspend(&session)
            case .quit: session.isOver = true
            }
        }
    }

    /// Gives the terminal to the shell, and stops the process until the shell continues it.
    private mutating func suspend(_ session: inout Session) {
        session.terminal.end()
        // All processes of this one's group, as the terminal's own Ctrl-Z does. This is the only thread that takes
        // signals, so the process stops here.
        kill(0, SIGTSTP)
        session.terminal.resume(Self.size)
        perform(model.resize(Self.size) + model.changed(), &session)
    }
}
