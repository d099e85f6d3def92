/// The result of decoding bytes from a server.
package enum Decoded<Packet: Sendable & Hashable>: Sendable, Hashable {
    case packet(Packet)
    /// Bytes that are not a valid packet, as received; if they are too long, only the first ``WireLimits/keptBytes``.
    case malformed([UInt8], MalformedReason)
}

/// The reason why bytes are not a valid packet.
package enum MalformedReason: Sendable, Hashable {
    /// Nothing between two separators, or an empty message.
    case empty
    case unknownType
    case invalidBase64
    /// A namespace or an event's name that isn't valid UTF-8.
    case invalidUTF8
    /// Longer than ``WireLimits/packetBytes``, with its attachments.
    case tooLong
    /// More attachments than ``WireLimits/attachments``.
    case tooManyAttachments
    /// A count of attachments or an id that isn't a number, or is too large.
    case invalidNumber
    /// Not the JSON that the type of packet requires, judged by the parts that are read here.
    case invalidPayload
    /// A binary packet without a packet that expects it.
    case unexpectedAttachment
    /// The next packet came before all attachments.
    case missingAttachments
}
