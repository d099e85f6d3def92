import Glibc
import Rendering

/// The settings of the terminal: raw while we edit a line, restored afterwards.
struct TerminalMode: Sendable {
    private var original: termios?

    /// True if the process is in the foreground, so that it may change the terminal.
    static var isForeground: Bool {
        tcgetpgrp(0) == getpgrp()
    }

    /// The columns of the terminal; 80 when they are unknown.
    static var columns: Int {
        Terminal.standardOutput?.width() ?? 80
    }

    /// Sets raw input: every key is read at once, as bytes, without an echo. Output is unchanged, so a line feed begins
    /// a row.
    mutating func enter() {
        var settings = termios()
        guard tcgetattr(0, &settings) == 0 else { return }
        if original == nil { original = settings }
        settings.c_iflag &= ~tcflag_t(BRKINT | ICRNL | IGNCR | INLCR | INPCK | ISTRIP | IXON | PARMRK)
        settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | IEXTEN | ISIG)
        settings.c_oflag |= tcflag_t(OPOST | ONLCR)
        withUnsafeMutableBytes(of: &settings.c_cc) { bytes in
            bytes[Int(VMIN)] = 1
            bytes[Int(VTIME)] = 0
        }
        tcsetattr(0, TCSADRAIN, &settings)
    }

    /// - Parameter discarding: True to drop unread input, so that no shell runs it as a command.
    mutating func restore(discarding: Bool) {
        guard var settings = original else { return }
        original = nil
        if Self.isForeground { tcsetattr(0, discarding ? TCSAFLUSH : TCSADRAIN, &settings) }
    }
}
