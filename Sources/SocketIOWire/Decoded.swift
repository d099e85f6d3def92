/// What a decoder makes of bytes from a server.
package enum Decoded<Packet: Sendable & Hashable>: Sendable, Hashable {
    case packet(Packet)
    /// Bytes that are no packet, as they came; of what is too long no more than ``WireLimits/keptBytes``.
    case malformed([UInt8], MalformedReason)
}

package enum MalformedReason: Sendable, Hashable {
    /// Nothing between two separators, or a message of no bytes.
    case empty
    case unknownType
    case invalidBase64
    /// A namespace, or an event's name, that is no UTF-8.
    case invalidUTF8
    /// Longer than ``WireLimits/packetBytes``, attachments included.
    case tooLong
    /// More than ``WireLimits/attachments``.
    case tooManyAttachments
    /// A count of attachments, or an id, that is no number or too large for one.
    case invalidNumber
    /// Not the JSON that a packet of its type has, as far as was looked.
    case invalidPayload
    /// A binary packet that belongs to nothing.
    case unexpectedAttachment
    /// The next packet came before all attachments had.
    case missingAttachments
}
