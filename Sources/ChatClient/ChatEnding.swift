import Rendering

/// How a visit ended.
enum ChatEnding: Sendable, Hashable {
    /// We left. What was said before had arrived, as far as the peer's kernel tells, or not.
    case left(hasArrived: Bool)
    /// The server ended it; why, for people.
    case lost(String)
}

/// All that is to be said when a visit is over.
package struct ChatReport: Sendable {
    var ending: ChatEnding
    /// Said, and not come back from the server.
    var unheard: [String] = []
    /// Typed, and not said.
    var unsent: [String] = []
    /// Nil on a terminal.
    var script: ChatScript?
    /// Whether the server ever said anything.
    var wasAnswered = true

    /// Nil where all went well.
    package var error: ChatError? {
        switch ending {
        case .lost(let reason):
            ChatError(.connection, reason, hint: hints.isEmpty ? advice : hints.joined(separator: "; "))
        case .left(false) where !unheard.isEmpty:
            ChatError(
                .connection, "the server did not confirm what was sent last", hint: hints.joined(separator: "; "))
        case .left:
            script?.failure.map { ChatError(.input, "stdin: \($0)", hint: nil) } ?? refusal
        }
    }

    /// What stays unsaid though all went well.
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
        if !unheard.isEmpty { hints.append("perhaps it did not get \(Self.quote(unheard))") }
        if !unsent.isEmpty { hints.append("not sent: \(Self.quote(unsent))") }
        if let script, !script.hasEnded { hints.append("what follows line \(script.number) of stdin was not sent") }
        return hints
    }

    /// The protocol has no way to say no.
    private var advice: String? {
        wasAnswered ? nil : "it may not want the name, or be full"
    }

    private static func quote(_ texts: [String]) -> String {
        texts.map { "\"\(Sanitizer.line($0))\"" }.joined(separator: ", ")
    }
}
