package import StreamChatWire

/// The address, the protocol and the limits of a ``RoomServer``.
package struct RoomServerConfiguration: Sendable {
    /// The name or address to listen on.
    package var host = "127.0.0.1"
    /// The port; 0 for any free one, which ``RoomServer/run(onReady:)`` reports.
    package var port = 5080
    /// The end of each unit that the server sends: `chunk`, `lf` or `nul`.
    package var framing = Framing.chunk
    package var revision = Revision.august2021
    package var limits = Limits()

    package init() {}

    package struct Limits: Sendable {
        /// The limit of clients at a time. The server closes the connection of a further client at once. The default
        /// leaves room within the usual limit of 1,024 descriptors.
        package var connections = 1000
        /// The limit of bytes that a client may be behind, plus 64 for each message. The server cuts off a client that
        /// exceeds it. It is also the limit of memory for all clients together.
        ///
        /// 4 MiB are about 40,000 messages of usual length.
        package var backlogBytes = 4 * 1024 * 1024
        /// The limit of bytes in one name or text from a client: twice the 7,500 bytes of 300 family emoji.
        package var frameBytes = 16 * 1024

        package init() {}
    }
}
