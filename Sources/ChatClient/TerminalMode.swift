import Foundation
import Rendering

/// The terminal's settings: raw while a line is edited by us, then as they were.
struct TerminalMode: Sendable {
    private var original: termios?

    /// Whether the terminal is ours to change: in the background it is somebody else's.
    static var isForeground: Bool {
        tcgetpgrp(0) == getpgrp()
    }

    /// Columns, 80 where the terminal doesn't know.
    static var columns: Int {
        Terminal.standardOutput?.width() ?? 80
    }

    /// Every key comes at once, as bytes, and is not echoed. Output goes on as before: a line feed begins a row.
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

    /// - Parameter discarding: Drops what was typed and not read, so that no shell takes it for a command.
    mutating func restore(discarding: Bool) {
        guard var settings = original else { return }
        original = nil
        if Self.isForeground { tcsetattr(0, discarding ? TCSAFLUSH : TCSADRAIN, &settings) }
    }
}
