package import ChatModel
package import Rendering
package import StreamChatWire

/// The room to join, the name to join as, and the style to show it in.
package struct ChatConfiguration: Sendable {
    package var server: ServerAddress
    /// The name to join as, which ``ChatText/problem(name:)`` checks.
    package var name: String
    /// The rule by which the server's bytes are cut into messages.
    package var framing = Framing.chunk
    package var revision = Revision.august2021
    /// The zone of the shown times.
    package var zone = Zone.local
    package var style = Style.plain
    /// Returns the present width of a line in cells; nil if stdout is not a terminal.
    package var width: @Sendable () -> Int? = { nil }
    /// True to keep listening after the end of stdin, in a pipe.
    package var keepsListening = false
    /// The time limit for leaving, and for the server to send a line back before the next one is sent.
    package var timeout: Duration = .seconds(5)

    /// Returns a warning for people if the clients of the room show only a part of a text; else nil.
    package func warning(of text: String) -> String? {
        guard revision == .april2021, let shown = Outgoing.shownPart(of: text, by: name) else { return nil }
        let part = shown.isEmpty ? "nothing" : "only \"\(Sanitizer.line(shown))\""
        return "clients of \(revision.rawValue) show \(part): they drop what is before the last \"::\""
    }

    package init(
        server: ServerAddress, name: String, framing: Framing = Framing.chunk, revision: Revision = Revision.august2021,
        zone: Zone = Zone.local, style: Style = Style.plain, width: @escaping @Sendable () -> Int? = { nil },
        keepsListening: Bool = false, timeout: Duration = .seconds(5)
    ) {
        (self.server, self.name, self.framing, self.revision, self.zone) = (server, name, framing, revision, zone)
        (self.style, self.width, self.keepsListening, self.timeout) = (style, width, keepsListening, timeout)
    }
}
