package import StreamChatWire

/// What a ``RoomServer`` listens on, how it speaks, and what it puts up with.
package struct RoomServerConfiguration: Sendable {
    /// A name or address to listen on.
    package var host = "127.0.0.1"
    /// 0 for any free port; ``RoomServer/run(onReady:)`` tells which it became.
    package var port = 5080
    /// How what the server sends is cut for clients: `chunk`, `lf` or `nul`.
    package var framing = Framing.chunk
    package var revision = Revision.august2021
    package var limits = Limits()

    package init() {}

    package struct Limits: Sendable {
        /// Clients at a time; one more is closed at once. The default leaves room under many systems' 1024 descriptors.
        package var connections = 1000
        /// How far a client may be behind, in bytes of what it has not been sent, 64 a message added; past it the client
        /// is cut off. It also bounds what the server keeps for all of them together.
        ///
        /// 4 MiB is some 40,000 messages of usual length.
        package var backlogBytes = 4 * 1024 * 1024
        /// Bytes of one name or text from a client: twice the 7,500 that 300 Characters of family emoji take.
        package var frameBytes = 16 * 1024

        package init() {}
    }
}
