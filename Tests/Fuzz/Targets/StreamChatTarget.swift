import SLPWire
import StreamChatWire

extension FuzzTarget {
    /// The bytes of a StreamChat server and its clients. The first byte chooses the framing.
    static let streamChat = FuzzTarget("streamchat") { input in
        let bytes = Array(input.dropFirst())
        let framing = Framing.allCases[Int(input.first ?? 0) % Framing.allCases.count]
        var limits = UnitFramer.Limits()
        limits.unitBytes = 200
        let known = KnownNames(["alice", "bob"])
        var (whole, split) = (UnitFramer(framing, limits: limits), UnitFramer(framing, limits: limits))
        let units = whole.cutUnits(bytes, at: 0, known: known) + whole.finish()
        let parts = Parts(bytes).parts
        var time: Int64 = 0
        let others = parts.flatMap { part in
            time += framing == .chunk ? Int64(part[0]) * 1000 : 0
            return split.cutUnits(part, at: time, filledBuffer: part[0] & 1 == 1, known: known)
        }
        let cut = others + split.finish()
        if framing != .chunk { try requireEqual(cut, units, "units of a split stream") }
        for units in [units, cut] { try checkCover(units, bytes, framing, limits.unitBytes, known) }
        try checkFrames(bytes, parts)
        var parser = StreamChatParser(framing, known: known)
        _ = parts.map { parser.parseBytes($0, at: time) }
        _ = parser.finish()
    }

    /// Units lie in the stream in order, and nothing but delimiters and padding is between them.
    private static func checkCover(
        _ units: [StreamUnit], _ bytes: [UInt8], _ framing: Framing, _ limit: Int, _ known: KnownNames
    ) throws {
        var place = 0
        for unit in units {
            try require(unit.offset >= place && unit.end <= bytes.count, "unit at \(unit.offset) after \(place)")
            // The bytes that may have become `::END` when the connection ended are over the limit.
            let most = limit + (framing == .end ? 4 : 0)
            try require(!unit.bytes.isEmpty && unit.bytes.count <= most, "a unit of \(unit.bytes.count) bytes")
            try require(bytes[unit.offset..<unit.end].starts(with: unit.bytes), "the bytes of a unit")
            let between = Set(bytes[place..<unit.offset]).union(bytes[(unit.offset + unit.bytes.count)..<unit.end])
            try require(between.isSubset(of: framing == .chunk ? [] : Set("::END\r\n\0".utf8)), "bytes between units")
            place = unit.end
            _ = Classifier.classify(unit, known: known)
        }
    }

    private static func checkFrames(_ bytes: [UInt8], _ parts: [[UInt8]]) throws {
        for revision in Revision.allCases {
            var whole = ClientFrameDecoder(revision, maximumPayload: 60)
            var split = whole
            let frames = whole.read(bytes) + [whole.finish()].compactMap(\.self)
            let others = parts.flatMap { split.read($0) } + [split.finish()].compactMap(\.self)
            if revision != .april2021 { try requireEqual(others, frames, "frames of a split stream") }
            for case .frame(.message(let text)) in frames where (try? Outgoing.validate(text: text)) != nil {
                var decoder = ClientFrameDecoder(.august2021)
                let read = decoder.read(ClientFrame.message(text: text).encoded(.august2021))
                try requireEqual(read, [.frame(.message(text: text))], "a frame read again")
            }
        }
    }

    /// The bodies of an Engine.IO server's polls.
    static let socketIO = FuzzTarget("socketio") { input in
        var limits = WireLimits()
        (limits.packetBytes, limits.attachments) = (1000, 3)
        var (whole, split) = (PolledBody(limits: limits), PolledBody(limits: limits))
        let packets = whole.read(input) + whole.finish()
        try requireEqual(Parts(input).parts.flatMap { split.read($0) } + split.finish(), packets, "a split body")
        var decoder = SocketDecoder(limits: limits)
        for case .packet(let packet) in packets {
            try require(packet.encoded.count <= limits.packetBytes, "a packet of \(packet.encoded.count) bytes")
            if case .open(let data) = packet { _ = Handshake(data) }
            for case .packet(let packet) in read(packet, &decoder) {
                try require(packet.attachments.count <= limits.attachments, "\(packet.attachments.count) attachments")
                try require(packet.kind != .event || SocketEvent(payload: packet.payload) != nil, "an event's payload")
                _ = packet.refusal
                var again = SocketDecoder()
                let decoded = packet.encoded.flatMap { read($0, &again) }
                try requireEqual(decoded, [.packet(packet)], "a packet read again")
            }
        }
    }

    private static func read(_ packet: EnginePacket, _ decoder: inout SocketDecoder) -> [Decoded<SocketPacket>] {
        switch packet {
        case .message(let text): decoder.read(message: text)
        case .binary(let data): decoder.read(attachment: data)
        default: []
        }
    }
}
