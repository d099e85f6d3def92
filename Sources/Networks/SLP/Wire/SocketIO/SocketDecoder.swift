/// Assembles the packets of one connection: a message and the attachments that follow it.
///
/// Memory is bounded by ``WireLimits/packetBytes``.
package struct SocketDecoder: Sendable {
    private struct Pending {
        var packet: SocketPacket
        var text: [UInt8]
        var missing: Int
        var bytes: Int
    }

    private let limits: WireLimits
    private var pending: Pending?

    package init(limits: WireLimits = WireLimits()) {
        self.limits = limits
    }

    /// Reads the data of ``EnginePacket/message(_:)``. Returns two results if the previous packet lacks attachments,
    /// and none if this one has attachments.
    package mutating func read(message text: [UInt8]) -> [Decoded<SocketPacket>] {
        finish() + begin(text)
    }

    /// Reads the data of ``EnginePacket/binary(_:)``. Returns the packet once it has all its attachments.
    package mutating func read(attachment: [UInt8]) -> [Decoded<SocketPacket>] {
        guard var open = pending.take() else {
            return [.malformed(attachment, .unexpectedAttachment)]
        }
        guard attachment.count <= limits.packetBytes - open.bytes else { return [tooLong(open.text)] }
        open.packet.attachments.append(attachment)
        open.bytes += attachment.count
        open.missing -= 1
        if open.missing == 0 { return [.packet(open.packet)] }
        pending = open
        return []
    }

    /// Ends the connection. Returns the packet that still lacks attachments, as malformed.
    package mutating func finish() -> [Decoded<SocketPacket>] {
        pending.take().map { [.malformed($0.text, .missingAttachments)] } ?? []
    }

    private mutating func begin(_ text: [UInt8]) -> [Decoded<SocketPacket>] {
        guard text.count <= limits.packetBytes else { return [tooLong(text)] }
        do throws(MalformedError) {
            let (packet, attachments) = try SocketPacket.decode(text: text, limits: limits)
            guard attachments > 0 else { return [.packet(packet)] }
            pending = Pending(packet: packet, text: text, missing: attachments, bytes: text.count)
            return []
        } catch {
            return [.malformed(text, error.reason)]
        }
    }

    private func tooLong(_ text: [UInt8]) -> Decoded<SocketPacket> {
        .malformed(Array(text.prefix(limits.keptBytes)), .tooLong)
    }
}
