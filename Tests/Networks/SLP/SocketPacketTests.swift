import SLPWire
import Testing

struct SocketPacketTests {
    private func decode(_ packets: [EnginePacket], limits: WireLimits = WireLimits()) -> [Decoded<SocketPacket>] {
        var decoder = SocketDecoder(limits: limits)
        return packets.flatMap { packet -> [Decoded<SocketPacket>] in
            switch packet {
            case .message(let text): decoder.read(message: text)
            case .binary(let data): decoder.read(attachment: data)
            default: []
            }
        } + decoder.finish()
    }

    private func decode(_ text: String) -> [Decoded<SocketPacket>] {
        decode([.message(Array(text))])
    }

    @Test(arguments: PacketVector.all)
    func `packets are read and written as the protocol's page encodes them`(vector: PacketVector) {
        let encoded: [EnginePacket] = [.message(Array(vector.text))] + vector.packet.attachments.map { .binary($0) }
        #expect(decode(encoded) == [.packet(vector.packet)])
        #expect(vector.packet.encoded == encoded)
    }

    @Test(arguments: PacketVector.all)
    func `a packet is complete at every split of a body`(vector: PacketVector) {
        let next = SocketPacket(.disconnect, "/next")
        for pieces in PolledBody.encode(vector.packet.encoded + next.encoded).splits {
            var body = PolledBody()
            let packets = (pieces.flatMap { body.read($0) } + body.finish()).map { decoded in
                if case .packet(let packet) = decoded { packet } else { EnginePacket.noop }
            }
            #expect(decode(packets) == [.packet(vector.packet), .packet(next)])
        }
    }

    @Test func `a namespace without a payload can lack its comma`() {
        #expect(decode("1/admin") == [.packet(SocketPacket(.disconnect, "/admin"))])
    }

    @Test func `a refusal has its reason in any form`() {
        #expect(SocketPacket(.connectError, payload: Array(#"{"message":"no","data":1}"#)).refusal == "no")
        #expect(SocketPacket(.connectError, payload: Array(#""no""#)).refusal == "no")
        #expect(SocketPacket(.connectError, payload: Array("[1]")).refusal == "[1]")
        #expect(SocketPacket(.connectError).refusal == "")
    }

    @Test(
        arguments: [
            ("", .empty), ("7", .unknownType), ("x", .unknownType), ("2", .invalidPayload), ("2{}", .invalidPayload),
            ("2[]", .invalidPayload), ("2[1]", .invalidPayload), (#"2["a"#, .invalidPayload),
            (#"2["a",]"#, .invalidPayload),
            (#"2["a" 1]"#, .invalidPayload), (#"2["\q"]"#, .invalidPayload), ("21-[]", .invalidPayload),
            ("3[]", .invalidPayload), ("31", .invalidPayload), ("5[]", .invalidNumber), (#"5-["a"]"#, .invalidNumber),
            (#"599999999999999999999-["a"]"#, .invalidNumber), (#"565-["a"]"#, .tooManyAttachments),
            (#"299999999999999999999["a"]"#, .invalidNumber), ("01 2", .invalidPayload), ("4 2", .invalidPayload),
            ("0 /a,{}", .invalidPayload),
        ] as [(String, MalformedReason)])
    func `an invalid text is reported with the reason`(text: String, reason: MalformedReason) {
        #expect(decode(text) == [.malformed(Array(text), reason)])
    }

    @Test func `a namespace with invalid UTF-8 is malformed`() {
        let text = Array("0/") + [0xFF] + Array(",")
        #expect(decode([.message(text)]) == [.malformed(text, .invalidUTF8)])
    }

    @Test func `attachments are counted`() {
        let event = #"52-["a",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]"#
        let leave = SocketPacket(.disconnect)
        #expect(
            decode([.message(Array(event)), .binary([1])] + leave.encoded + [.binary([2])]) == [
                .malformed(Array(event), .missingAttachments), .packet(leave), .malformed([2], .unexpectedAttachment),
            ])
        #expect(decode([.message(Array(event))]) == [.malformed(Array(event), .missingAttachments)])
    }

    @Test func `a binary event without attachments is an event`() {
        #expect(decode(#"50-["a"]"#) == [.packet(SocketPacket(.event, payload: Array(#"["a"]"#)))])
    }

    @Test func `attachments count towards the packet's length`() {
        var limits = WireLimits()
        (limits.packetBytes, limits.keptBytes) = (20, 4)
        let text = Array(#"52-["a"]"#)
        let tooLong: Decoded<SocketPacket> = .malformed(Array("52-["), .tooLong)
        let attachment = EnginePacket.binary([UInt8](repeating: 0, count: 6))
        #expect(
            decode([.message(text), attachment, attachment], limits: limits) == [
                .packet(
                    SocketPacket(
                        .event, payload: Array(#"["a"]"#), attachments: Array(repeating: [0, 0, 0, 0, 0, 0], count: 2)))
            ])
        #expect(
            decode([.message(text), attachment, .binary([UInt8](repeating: 0, count: 7))], limits: limits) == [tooLong])
    }

    @Test func `a name with a packet's or body's separator is not a namespace`() {
        for name in ["/", "/ws-channel-238", "/ws-dm-4f8c", "/방", "/a/b"] { #expect(SocketPacket.isNamespace(name)) }
        let long = "/" + String(repeating: "x", count: 1024)
        for name in ["", "a", "/a,b", "/a?b", "/a\u{1E}b", "/,\u{301}", long] {
            #expect(!SocketPacket.isNamespace(name), "\(name)")
        }
    }
}
