import Rendering

/// The end of a session.
enum ChatEnding: Sendable, Hashable {
    /// We left. `hasArrived` is true if the peer's kernel has confirmed all sent bytes.
    case left(hasArrived: Bool)
    /// The server ended the connection; the reason is for people.
    case lost(String)
}

/// The report of a session that is over.
package struct ChatReport: Sendable {
    var ending: ChatEnding
    /// Sent texts that the server did not send back.
    var unconfirmed: [String] = []
    /// Texts that were typed and not sent.
    var unsent: [String] = []
    /// The script of stdin; nil on a terminal.
    var script: ChatScript?
    /// False if the server never sent anything.
    var wasAnswered = true

    /// The error of the session; nil if there was none.
    package var error: ChatError? {
        switch ending {
        case .lost(let reason):
            ChatError(.connection, reason, hint: hints.isEmpty ? advice : hints.joined(separator: "; "))
        case .left(false) where !unconfirmed.isEmpty:
            ChatError(
                .connection, "the server did not confirm what was sent last", hint: hints.joined(separator: "; "))
        case .left:
            script?.failure.map { ChatError(.input, "can't read stdin: \($0)", hint: nil) } ?? refusal
        }
    }

    /// A note about texts that were not sent, for a session without an error; nil if there are none.
    package var note: String? {
        unsent.isEmpty || error != nil ? nil : "not sent: \(Self.quote(unsent))"
    }

    private var refusal: ChatError? {
        guard let script, script.refused > 0 else { return nil }
        let lines = script.lines == 1 ? "1 line was" : "\(script.lines) lines were"
        return ChatError(.notSent, "\(script.refused) of \(lines) not sent", hint: "the reasons are above")
    }

    private var hints: [String] {
        var hints: [String] = []
        if let script, script.refused > 0 { hints.append("lines refused: \(script.refused)") }
        if !unconfirmed.isEmpty { hints.append("the server may not have received \(Self.quote(unconfirmed))") }
        if !unsent.isEmpty { hints.append("not sent: \(Self.quote(unsent))") }
        if let script, !script.hasEnded { hints.append("the lines after line \(script.number) of stdin were not sent") }
        return hints
    }

    /// Advice when the server never answered, because the protocol has no way to refuse.
    private var advice: String? {
        wasAnswered ? nil : "the server may refuse the name, or be full"
    }

    private static func quote(_ texts: [String]) -> String {
        texts.map { "\"\(Sanitizer.line($0))\"" }.joined(separator: ", ")
    }
}
