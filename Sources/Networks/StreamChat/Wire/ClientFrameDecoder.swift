import Bytes

/// Finds the frames in the bytes of one client, however its reads are split.
///
/// Any bytes between frames are skipped: NUL padding, line ends, up to 300 bytes of unrelated memory from some clients
/// of 2021. Memory is bounded by one read and one frame of the greatest length; time is linear in the bytes.
package struct ClientFrameDecoder: Sendable {
    /// The length of `USR_NAME:::EN`: the most bytes at the end of a read that may turn out not to be payload.
    private static let lookahead = 13

    private let revision: Revision
    /// The most bytes of a name or text.
    private let maximumPayload: Int

    /// The payload so far; between frames, bytes that may become a prefix.
    private var buffer: [UInt8] = []
    /// The index in `buffer` where the payload begins; 0 between reads.
    private var start = 0
    /// The index in `buffer` from which the next undecided `::` is searched.
    private var scanned = 0
    private var prefix: ClientFrame.Prefix?
    /// True if the frame was too long and was reported. The rest of it is skipped.
    private var isDropping = false

    /// 16 KiB by default, twice the 7,500 bytes of 300 family emoji.
    package init(_ revision: Revision, maximumPayload: Int = 16 * 1024) {
        self.revision = revision
        self.maximumPayload = maximumPayload
    }

    /// Returns the frames that end within these bytes, in order.
    package mutating func read(_ bytes: [UInt8]) -> [DecodedFrame] {
        switch revision {
        case .april2021: decodeWhole(bytes).map { [$0] } ?? []
        case .august2021: decode(bytes)
        }
    }

    /// Ends the connection. Returns the frame that was cut off, as malformed; nil if there is none.
    package mutating func finish() -> DecodedFrame? {
        defer {
            begin(nil, at: 0)
            buffer = []
        }
        return isDropping ? nil : prefix.map { cut($0, buffer[...]) }
    }

    private mutating func decode(_ bytes: [UInt8]) -> [DecodedFrame] {
        buffer += bytes
        var frames: [DecodedFrame] = []
        scan(&frames)
        if let open = prefix, !isDropping, buffer.count - start > maximumPayload + Self.lookahead {
            frames.append(malformed(open, buffer[start...], .tooLong))
            isDropping = true
        }
        compact()
        return frames
    }

    /// Scans up to the last `::` whose meaning the bytes so far determine.
    private mutating func scan(_ frames: inout [DecodedFrame]) {
        while let colons = buffer[...].firstSeparator(from: scanned) {
            let payload = buffer[start..<colons]
            let next = ClientFrame.Prefix.allCases.first { payload.ends(with: $0.word) }
            if let open = prefix {
                switch end(at: colons, orLater: next != nil) {
                case .none: break
                case .undecided: return
                case .at(let end):
                    if !isDropping { frames.append(decode(open, buffer[start..<end])) }
                    begin(nil, at: end + Token.end.count)
                    continue
                }
            }
            scanned = colons + 1
            guard let next else { continue }
            if let open = prefix, !isDropping { frames.append(cut(open, payload.dropLast(next.word.count))) }
            begin(next, at: colons + Token.separator.count)
        }
        // The last byte may be the first colon of two.
        scanned = max(scanned, buffer.count - 1)
    }

    private mutating func begin(_ next: ClientFrame.Prefix?, at index: Int) {
        (prefix, isDropping, start, scanned) = (next, false, index, index)
    }

    private enum End {
        case at(Int)
        case undecided
        case none
    }

    /// Returns true if the frame ends at these colons.
    ///
    /// `MSG::MSG::END` has the text "MSG", and `MSG::MSG:::END` has "MSG:". After a possible prefix of the next frame
    /// (`orLater`), only the following bytes decide.
    private func end(at colons: Int, orLater: Bool) -> End {
        for first in colons...(orLater ? colons + 1 : colons) {
            let following = buffer[min(first, buffer.count)...].prefix(Token.end.count)
            if following.elementsEqual(Token.end) { return .at(first) }
            if Token.end.starts(with: following) { return .undecided }
        }
        return .none
    }

    private mutating func compact() {
        let kept = prefix == nil || isDropping ? max(start, buffer.count - Self.lookahead) : start
        buffer.removeFirst(kept)
        (start, scanned) = (0, max(0, scanned - kept))
    }

    private func decode(_ prefix: ClientFrame.Prefix, _ payload: ArraySlice<UInt8>) -> DecodedFrame {
        guard payload.count <= maximumPayload else { return malformed(prefix, payload, .tooLong) }
        return prefix.frame(payload: payload).map(DecodedFrame.frame) ?? malformed(prefix, payload, .invalidUTF8)
    }

    private func cut(_ prefix: ClientFrame.Prefix, _ payload: ArraySlice<UInt8>) -> DecodedFrame {
        malformed(prefix, payload, payload.count > maximumPayload ? .tooLong : .unterminated)
    }

    private func malformed(
        _ prefix: ClientFrame.Prefix, _ payload: ArraySlice<UInt8>, _ reason: DecodedFrame.Reason
    ) -> DecodedFrame {
        .malformed(prefix.bytes + payload.prefix(maximumPayload), reason)
    }

    /// Decodes a read of 2021-04, which is one frame up to its first NUL, without line ends after it. Nil for padding
    /// alone.
    private func decodeWhole(_ bytes: [UInt8]) -> DecodedFrame? {
        let frame = bytes[...].prefix { $0 != Byte.nul }.withoutPaddingAtEnd
        guard !frame.isEmpty else { return nil }
        for prefix in [ClientFrame.Prefix.join, .message] where frame.has(prefix.bytes, at: 0) {
            return decode(prefix, frame.dropFirst(prefix.bytes.count))
        }
        return .malformed(Array(frame.prefix(maximumPayload)), .unknown)
    }
}
