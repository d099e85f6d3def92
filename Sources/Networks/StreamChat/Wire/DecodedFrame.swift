/// The result of decoding bytes from a client.
package enum DecodedFrame: Sendable, Hashable {
    case frame(ClientFrame)
    /// Bytes that begin like a frame and are not a valid one, from the prefix on. Bytes above the decoder's limit are
    /// left out.
    case malformed([UInt8], Reason)

    package enum Reason: Sendable, Hashable {
        /// The frame was cut off: no `::END` came before the next frame or the end of the connection.
        case unterminated
        case invalidUTF8
        case tooLong
        /// A read of 2021-04 without a known prefix.
        case unknown
    }
}
