import Foundation
import StreamChatWire

/// Which room to visit, as whom, and how to show it.
struct ChatConfiguration: Sendable {
    var server: ServerAddress
    var name: String
    var framing = Framing.chunk
    var revision = Revision.august2021
    var zone = TimeZone.current
    var style = Style.plain
    /// The cells of a line as it is now, on a terminal.
    var width: @Sendable () -> Int? = { nil }
    /// Whether to go on hearing when there is no more to say, which in a pipe is the end of stdin.
    var stays = false
    /// How long leaving may take, and how long the server may take to send a line back before the next one goes.
    var patience: Duration = .seconds(5)
}
