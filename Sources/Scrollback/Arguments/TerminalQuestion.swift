import Bytes
import Glibc
import Rendering

/// A question to the user on the terminal.
enum TerminalQuestion {
    /// True if the user can see the question and answer it.
    static var isPossible: Bool { TerminalPrompt.isPossible }

    /// The longest wait for the answer, in milliseconds, before the next call of `isStopped`.
    private static let timeout: Int32 = 200

    /// Asks, and returns the answer without the spaces around it; nil at the end of the input, and if the wait was stopped.
    static func ask(_ question: String, isStopped: () -> Bool) -> String? {
        StandardStream.note(question + " ")
        var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while !isStopped(), poll(&waiting, 1, timeout) == 0 {}
        guard !isStopped(), let answer = readLine()?.trimmed else {
            StandardStream.note("\n")
            return nil
        }
        return answer
    }
}
