import CZlib

/// Unpacks deflate (RFC 1951), bare or wrapped by gzip (RFC 1952), a piece at a time.
final class Inflater {
    enum Wrapping: Int32 {
        /// zlib's `windowBits`: the largest window, and no header.
        case none = -15
        /// The largest window, plus 16 for gzip's header and checksum.
        case gzip = 31
    }

    /// At a stable address, because zlib keeps it.
    private let stream: UnsafeMutablePointer<z_stream>
    private let wrapping: Wrapping
    private var output = [UInt8](repeating: 0, count: ByteChunk.size)
    /// True if the packed data is complete.
    private(set) var isAtEnd = false
    /// True once bytes have come that are not part of the packed data.
    private var isPastEnd = false
    /// The numbers of bytes read and unpacked so far.
    private var amount = Expansion()
    /// True if the output was full, so that more output may follow without input.
    private var isFull = false

    init(_ wrapping: Wrapping) throws(UnreadableBytes) {
        self.wrapping = wrapping
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, wrapping.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw UnreadableBytes(reason: "out of memory while unpacking")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Returns at most ``ByteChunk/size`` further bytes, and removes from `input` those that it used. Returns none when
    /// `input` is used up, or at the end.
    ///
    /// Several parts of gzip count as one, and anything after them is ignored, as gzip does.
    func next(from input: inout ArraySlice<UInt8>) throws(UnreadableBytes) -> ArraySlice<UInt8> {
        while !input.isEmpty || isFull {
            if isAtEnd {
                guard !isPastEnd, wrapping == .gzip, input.first == 0x1F, inflateReset(stream) == Z_OK else {
                    (input, isPastEnd) = ([], true)
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
        // `Z_BUF_ERROR` without input only means that zlib needs more input.
        guard isAtEnd || result == Z_OK && taken + made > 0 || result == Z_BUF_ERROR && given == 0 else {
            throw UnreadableBytes(reason: "damaged compressed data")
        }
        amount.packed += Int64(taken)
        amount.unpacked += Int64(made)
        guard !amount.isExcessive else {
            throw UnreadableBytes(
                reason: "unpacks to more than \(Expansion.maximumRatio) times its size",
                hint: "it may be a decompression bomb; to import it, unpack it first")
        }
        return made
    }
}
