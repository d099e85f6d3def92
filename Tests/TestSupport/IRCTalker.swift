import Foundation

/// A client on an IRC server, which sends a test's lines and answers PING.
package final class IRCTalker: Sendable {
    package let nick: String
    private let socket: ChatSocket

    /// Registers, and joins the channels.
    package init(_ nick: String, port: Int, channels: String...) async throws {
        self.nick = nick
        socket = try ChatSocket(port: port)
        try send("NICK \(nick)\r\nUSER \(nick) 0 * :\(nick)")
        try await eventually("\(nick) is registered", state: { socket.text }) { () -> Bool? in
            try answerPing()
            return [" 376 ", " 422 "].contains(where: socket.text.contains) ? true : nil
        }
        for channel in channels {
            try send("JOIN \(channel)")
            try await waitFor(" 366 \(nick) \(channel) ")
        }
    }

    /// Sends one line or several, and adds the end of the last one.
    package func send(_ lines: String) throws {
        try socket.send(lines + "\r\n")
    }

    package func send(bytes: [UInt8]) throws {
        try socket.send(bytes + [0x0D, 0x0A])
    }

    package func say(_ text: String, to target: String) throws {
        try send("PRIVMSG \(target) :\(text)")
    }

    /// Reads and drops lines on a separate thread, until there were `lines` of them or none came for `timeout`.
    ///
    /// - Returns: The number of lines, and the processor time in seconds.
    package func count(_ lines: Int, timeout: Duration) async -> (lines: Int, processor: Double) {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [socket] in continuation.resume(returning: socket.count(lines, timeout: timeout))
            }
        }
    }

    package func waitFor(_ words: String) async throws {
        try await eventually("\(nick) hears \(words)", state: { socket.text }) { () -> Bool? in
            try answerPing()
            return socket.text.contains(words) ? true : nil
        }
    }

    /// Answers a PING, which some servers send before the registration.
    private func answerPing() throws {
        guard let ping = socket.text.split(separator: "\r\n").last(where: { $0.hasPrefix("PING ") }) else { return }
        try send("PONG " + ping.dropFirst("PING ".count))
    }
}
