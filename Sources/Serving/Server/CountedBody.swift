import Hummingbird

extension ResponseBody {
    /// The bytes of one write. A client that reads makes visible progress with each.
    static let chunk = 64 * 1024

    /// Makes a body of bytes, which count as unsent until the last ones are in the channel.
    static func counted(_ bytes: ByteBuffer) -> ResponseBody {
        guard bytes.readableBytes > chunk else { return ResponseBody(byteBuffer: bytes) }
        let hold = Connection.current?.hold(bytes.readableBytes)
        return ResponseBody(contentLength: bytes.readableBytes) { writer in
            try await writer.write(chunksOf: bytes)
            try await writer.finish(nil)
            withExtendedLifetime(hold) {}
        }
    }
}

extension ResponseBodyWriter {
    /// Writes bytes in parts, each of which waits until the client has read most of those before.
    @concurrent mutating func write(chunksOf bytes: ByteBuffer) async throws {
        var rest = bytes
        while rest.readableBytes > 0,
            let part = rest.readSlice(length: min(ResponseBody.chunk, rest.readableBytes))
        {
            // A copy, because a part would keep the memory of the whole.
            try await write(ByteBuffer(bytes: part.readableBytesView))
        }
    }

    /// Writes a part of a stream, whose bytes count as the sender's until they are in the channel.
    ///
    /// - Throws: ``Problem`` if too many bytes of the sender are not sent: the stream then ends.
    @concurrent mutating func write(_ text: String, countedBy unsent: UnsentBytes, of share: Share) async throws {
        try unsent.check(share)
        let hold = unsent.hold(text.utf8.count, of: share)
        try await write(chunksOf: ByteBuffer(string: text))
        withExtendedLifetime(hold) {}
    }
}
