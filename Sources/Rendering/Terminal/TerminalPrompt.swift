import Bytes
import Glibc

/// Questions to the person at the terminal. They go to stderr, and the answers come from stdin.
package enum TerminalPrompt {
    /// True if stdin and stderr are terminals.
    package static var isPossible: Bool { isatty(0) == 1 && StandardStream.error.isTerminal }

    /// Returns the answer without spaces around it; nil at the end of stdin.
    package static func ask(_ question: String) -> String? {
        StandardStream.note("\(question): ")
        return readLine()?.trimmed
    }

    /// Returns false for an answer that begins with `n`, and at the end of stdin.
    package static func confirm(_ question: String) -> Bool {
        guard let answer = ask("\(question) [Y/n]") else { return false }
        return !answer.lowercased().hasPrefix("n")
    }

    /// Returns an answer that the terminal does not show; nil for Ctrl-C, Ctrl-D and the end of stdin.
    package static func askHidden(_ question: String) -> String? {
        var settings = termios()
        guard tcgetattr(0, &settings) == 0 else { return nil }
        var original = settings
        // Keys arrive one by one and send no signals, so that the terminal is always restored.
        settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG)
        guard tcsetattr(0, TCSAFLUSH, &settings) == 0 else { return nil }
        defer { tcsetattr(0, TCSAFLUSH, &original) }
        StandardStream.note("\(question): ")
        defer { StandardStream.note("\n") }
        var bytes: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = read(0, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            switch byte {
            case 0x0A, 0x0D: return String(validating: bytes, as: UTF8.self)
            case 0x03, 0x04: return nil
            case 0x7F, 0x08: removeLast(&bytes)
            case 0x15: bytes = []
            default: bytes.append(byte)
            }
        }
    }

    /// Removes the bytes of the last scalar of UTF-8.
    private static func removeLast(_ bytes: inout [UInt8]) {
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    }
}
