package import Foundation
package import Rendering
package import Service
package import StreamChatWire

/// Which room to visit, as whom, and how to show it.
package struct ChatConfiguration: Sendable {
    package var server: ServerAddress
    package var name: String
    package var framing = Framing.chunk
    package var revision = Revision.august2021
    package var zone = TimeZone.current
    package var style = Style.plain
    /// The cells of a line as it is now, on a terminal.
    package var width: @Sendable () -> Int? = { nil }
    /// Whether to go on hearing when there is no more to say, which in a pipe is the end of stdin.
    package var stays = false
    /// How long leaving may take, and how long the server may take to send a line back before the next one goes.
    var patience: Duration = .seconds(5)

    package init(
        server: ServerAddress, name: String, framing: Framing = Framing.chunk, revision: Revision = Revision.august2021,
        zone: TimeZone = TimeZone.current, style: Style = Style.plain, width: @escaping @Sendable () -> Int? = { nil },
        stays: Bool = false, patience: Duration = .seconds(5)
    ) {
        self.server = server
        self.name = name
        self.framing = framing
        self.revision = revision
        self.zone = zone
        self.style = style
        self.width = width
        self.stays = stays
        self.patience = patience
    }
}
