import CGlibc
import Foundation
import Synchronization

/// A program with its own pseudo-terminal, which takes a test's keys and has the program's output.
package final class Terminal: Sendable {
    /// `POSIX_SPAWN_SETSID` of glibc, which Swift's module lacks.
    private static let newSession: Int16 = 0x80

    /// `TIOCSPTLCK` and `TIOCGPTN` of Linux (ioctl_tty(2)), which `unlockpt` and `ptsname` use and Swift's module
    /// lacks.
    private static let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    package let id: Int32
    private let master: Int32
    /// The program's end of the terminal. It is also open here, so that tests can read the settings after the program's
    /// end.
    private let slave: Int32
    private let shown = Mutex<[UInt8]>([])
    private let ended = Mutex<Int32?>(nil)

    /// - Parameter command: The path of the program, and its arguments.
    package init(_ command: [String], environment: [String: String], columns: Int = 80, rows: Int = 24) throws {
        let name: String
        (master, slave, name) = try Self.open(columns: columns, rows: rows)
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // The first terminal that the leader of a session opens becomes its controlling terminal.
        posix_spawnattr_setflags(&attributes, Self.newSession)
        posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        // Closes inherited descriptors, because Foundation notices the end of another test's program by such a
        // descriptor.
        _ = posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        id = try Self.spawn(command, environment, &actions, &attributes)
    }

    deinit {
        if ended.withLock({ $0 }) == nil {
            kill(id, SIGKILL)
            waitpid(id, nil, 0)
        }
        close(slave)
        close(master)
    }

    package func type(_ text: String) throws {
        try type(Array(text.utf8))
    }

    package func type(_ bytes: [UInt8]) throws {
        guard write(master, bytes, bytes.count) == bytes.count else {
            throw WaitedInVain(description: "the terminal takes no keys: \(String(cString: strerror(errno)))")
        }
    }

    /// The output so far, escape sequences included.
    package var text: String {
        shown.withLock { shown in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(master, &buffer, buffer.count)
                guard count > 0 else { return String(decoding: shown, as: UTF8.self) }
                shown += buffer[..<count]
            }
        }
    }

    /// Waits for further output, which stays unread.
    ///
    /// - Returns: False if none came within the time.
    package func hasOutput(within seconds: Double) -> Bool {
        var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, Int32(seconds * 1000)) > 0 && waiting.revents & Int16(POLLIN) != 0
    }

    /// Drops the output so far.
    package func forget() {
        _ = text
        shown.withLock { $0 = [] }
    }

    package func shows(_ words: String) async throws {
        try await eventually("the terminal shows \(words)", state: { text }) { text.contains(words) ? true : nil }
    }

    package func resize(columns: Int, rows: Int) {
        Self.setSize(of: master, columns: columns, rows: rows)
    }

    /// True if the terminal edits and echoes lines, as for a shell's commands; false in raw mode.
    package var isCooked: Bool {
        (settings.c_lflag & tcflag_t(ICANON | ECHO | ISIG)) == tcflag_t(ICANON | ECHO | ISIG)
    }

    /// The settings of the terminal, to compare them.
    package var flags: [UInt32] {
        [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
    }

    /// Hangs up the terminal, like a closed window.
    package func hangUp() {
        _ = text
        let null = Foundation.open("/dev/null", O_RDWR | O_CLOEXEC)
        // Keeps the number in use, so that no other file is closed with it later.
        dup2(null, master)
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        close(null)
    }

    package func signal(_ number: Int32) {
        kill(id, number)
    }

    /// Waits for the program's end. Returns its status; 128 plus the signal for a program that a signal ended.
    package func status() async throws -> Int32 {
        try await eventually("the end of the program", state: { text }) {
            _ = text
            return ended.withLock { ended in
                if ended == nil { ended = Self.wait(id) }
                return ended
            }
        }
    }

    private var settings: termios {
        var settings = termios()
        tcgetattr(slave, &settings)
        return settings
    }

    private static func open(columns: Int, rows: Int) throws -> (master: Int32, slave: Int32, name: String) {
        let master = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        var number: Int32 = 0
        guard master >= 0, ioctl(master, unlock, &number) == 0, ioctl(master, getNumber, &number) == 0 else {
            throw WaitedInVain(description: "no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        setSize(of: master, columns: columns, rows: rows)
        let name = "/dev/pts/\(number)"
        return (master, Foundation.open(name, O_RDWR | O_NOCTTY | O_CLOEXEC), name)
    }

    private static func setSize(of master: Int32, columns: Int, rows: Int) {
        var window = winsize()
        (window.ws_col, window.ws_row) = (UInt16(clamping: columns), UInt16(clamping: rows))
        _ = ioctl(master, UInt(TIOCSWINSZ), &window)
    }

    private static func spawn(
        _ command: [String], _ environment: [String: String], _ actions: inout posix_spawn_file_actions_t,
        _ attributes: inout posix_spawnattr_t
    ) throws -> Int32 {
        var arguments = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var id: Int32 = 0
        let code = posix_spawn(&id, command[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw WaitedInVain(description: "\(command[0]): \(String(cString: strerror(code)))") }
        return id
    }

    private static func wait(_ id: Int32) -> Int32? {
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return nil }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

extension Program {
    /// Starts the program on a terminal. It is killed when the value is released.
    package func startOnTerminal(columns: Int = 80, rows: Int = 24, _ arguments: String...) throws -> Terminal {
        try startOnTerminal(columns: columns, rows: rows, command: [Self.path] + arguments)
    }

    /// Starts another program, such as a shell, on a terminal.
    package func startOnTerminal(columns: Int = 80, rows: Int = 24, command: [String]) throws -> Terminal {
        var environment = environment
        environment["TERM"] = "xterm-256color"
        return try Terminal(command, environment: environment, columns: columns, rows: rows)
    }
}
