/// What a server makes of bytes from a client.
package enum DecodedFrame: Sendable, Hashable {
    case frame(ClientFrame)
    /// Bytes that began as a frame and are none, from the prefix on; those past the decoder's limit are left out.
    case malformed([UInt8], Reason)

    package enum Reason: Sendable, Hashable {
        /// No `::END` before the next frame or the end of the connection: it was cut.
        case unterminated
        case invalidUTF8
        case tooLong
        /// A read of 2021-04 that begins with no known prefix.
        case unknown
    }
}
