/// Finds the frames in what one client sends, wherever its reads are split.
///
/// Between frames anything may stand and is skipped: NUL padding, line ends, up to 300 bytes of unrelated memory from
/// some clients of 2021. Memory stays within a read and a frame of the greatest length, time is linear in the bytes.
package struct ClientFrameDecoder: Sendable {
    private let revision: Revision
    /// Bytes of name or text.
    private let maximumPayload: Int

    /// The payload so far of the frame being read; between frames, what may become a prefix.
    private var buffer: [UInt8] = []
    /// Where in `buffer` the next undecided `::` may begin.
    private var scanned = 0
    private var prefix: ClientFrame.Prefix?

    /// 16 KiB by default: twice the 7,500 bytes that 300 Characters of family emoji take.
    package init(_ revision: Revision, maximumPayload: Int = 16 * 1024) {
        self.revision = revision
        self.maximumPayload = maximumPayload
    }

    package mutating func read(_ bytes: [UInt8]) -> [DecodedFrame] {
        switch revision {
        case .april2021: decodeWhole(bytes).map { [$0] } ?? []
        case .august2021: decode(bytes)
        }
    }

    /// To be called when the connection is over: a frame that was begun is cut.
    package mutating func finish() -> DecodedFrame? {
        defer { (buffer, scanned, prefix) = ([], 0, nil) }
        return prefix.map { .malformed($0.bytes + buffer, .unterminated) }
    }

    private mutating func decode(_ bytes: [UInt8]) -> [DecodedFrame] {
        buffer += bytes
        var frames: [DecodedFrame] = []
        var start = 0
        scan: while true {
            guard let colons = buffer[...].firstSeparator(from: scanned) else {
                // The last byte may be the first colon of two.
                scanned = max(scanned, buffer.count - 1)
                break
            }
            let payload = buffer[start..<colons]
            let next = ClientFrame.Prefix.allCases.first { payload.ends(with: $0.word) }
            if let open = prefix {
                switch end(at: colons, orLater: next != nil) {
                case .none: break
                case .undecided: break scan
                case .at(let end):
                    frames.append(decode(open, buffer[start..<end]))
                    (prefix, start, scanned) = (nil, end + Token.end.count, end + Token.end.count)
                    continue
                }
            }
            scanned = colons + 1
            guard let next else { continue }
            if let open = prefix {
                frames.append(malformed(open, payload.dropLast(next.word.count), .unterminated))
            }
            (prefix, start, scanned) = (next, colons + Token.separator.count, colons + Token.separator.count)
        }
        if let open = prefix, buffer.count - start > maximumPayload + Token.end.count {
            frames.append(malformed(open, buffer[start...], .tooLong))
            prefix = nil
        }
        compact(from: start)
        return frames
    }

    private enum End {
        case at(Int)
        case undecided
        case none
    }

    /// Whether the frame ends at these colons.
    ///
    /// `MSG::MSG::END` says "MSG", and `MSG::MSG:::END` says "MSG:": after what may be the next frame's prefix
    /// (`orLater`) only what follows tells.
    private func end(at colons: Int, orLater: Bool) -> End {
        for first in colons...(orLater ? colons + 1 : colons) {
            let following = buffer[min(first, buffer.count)...].prefix(Token.end.count)
            if following.elementsEqual(Token.end) { return .at(first) }
            if Token.end.starts(with: following) { return .undecided }
        }
        return .none
    }

    private mutating func compact(from start: Int) {
        let kept = prefix == nil ? max(start, buffer.count - ClientFrame.Prefix.longestPart) : start
        scanned = max(scanned, kept) - kept
        buffer.removeFirst(kept)
    }

    private func decode(_ prefix: ClientFrame.Prefix, _ payload: ArraySlice<UInt8>) -> DecodedFrame {
        guard payload.count <= maximumPayload else { return malformed(prefix, payload, .tooLong) }
        return prefix.frame(payload: payload).map(DecodedFrame.frame) ?? malformed(prefix, payload, .invalidUTF8)
    }

    private func malformed(
        _ prefix: ClientFrame.Prefix, _ payload: ArraySlice<UInt8>, _ reason: DecodedFrame.Reason
    ) -> DecodedFrame {
        .malformed(prefix.bytes + payload.prefix(maximumPayload), reason)
    }

    /// In 2021-04 a read is a frame: up to its first NUL, line ends after it left out. Nothing but padding is nothing.
    private func decodeWhole(_ bytes: [UInt8]) -> DecodedFrame? {
        let frame = bytes[...].prefix { $0 != Byte.nul }.withoutPaddingAtEnd
        guard !frame.isEmpty else { return nil }
        for prefix in [ClientFrame.Prefix.join, .message] where frame.has(prefix.bytes, at: 0) {
            return decode(prefix, frame.dropFirst(prefix.bytes.count))
        }
        return .malformed(Array(frame.prefix(maximumPayload)), .unknown)
    }
}
