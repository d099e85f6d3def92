import CZlib

/// Takes apart what deflate made (RFC 1951), bare or as gzip wraps it (RFC 1952), a piece at a time.
final class Inflater {
    enum Wrapping: Int32 {
        /// `windowBits` of zlib: the largest window, and no header.
        case none = -15
        /// The largest window, and 16 for gzip's header and checksum.
        case gzip = 31
    }

    /// zlib keeps this address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let wrapping: Wrapping
    private var output = [UInt8](repeating: 0, count: ByteChunk.size)
    /// Whether what was packed is whole.
    private(set) var isAtEnd = false
    /// Whether there was no place for more, which may need no more input.
    private var isFull = false

    init(_ wrapping: Wrapping) throws(UnreadableBytes) {
        self.wrapping = wrapping
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, wrapping.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw UnreadableBytes(reason: "there is no memory to unpack it")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// At most ``ByteChunk/size`` bytes more, and takes what it needed for them; none when `input` is used up, or at the end.
    ///
    /// Several parts of gzip, one after the other, are one, and what else follows is passed over, as gzip does.
    func next(from input: inout ArraySlice<UInt8>) throws(UnreadableBytes) -> ArraySlice<UInt8> {
        while !input.isEmpty || isFull {
            if isAtEnd {
                guard wrapping == .gzip, input.first == 0x1F, inflateReset(stream) == Z_OK else {
                    input = []
                    break
                }
                isAtEnd = false
            }
            let count = try step(&input)
            if count > 0 { return output[..<count] }
        }
        return []
    }

    private func step(_ input: inout ArraySlice<UInt8>) throws(UnreadableBytes) -> Int {
        let given = min(input.count, ByteChunk.size)
        let result = input.withUnsafeBytes { bytes in
            output.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
                stream.pointee.avail_in = UInt32(given)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                return inflate(stream, Z_NO_FLUSH)
            }
        }
        let (taken, made) = (given - Int(stream.pointee.avail_in), output.count - Int(stream.pointee.avail_out))
        input = input.dropFirst(taken)
        isAtEnd = result == Z_STREAM_END
        isFull = made == output.count && !isAtEnd
        // It is in want of input where nothing was given.
        guard isAtEnd || result == Z_OK && taken + made > 0 || result == Z_BUF_ERROR && given == 0 else {
            throw UnreadableBytes(reason: "what is packed in it is damaged")
        }
        return made
    }
}
