import NIOCore

/// Cuts what is received into lines, and keeps no more than one line's worth.
struct LineBuffer {
    let maximumSize: Int
    private var buffer = ByteBuffer()
    /// Bytes of it that have no line's end.
    private var searched = 0

    init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    /// False when a line has become longer than is taken.
    mutating func append(_ part: ByteBuffer) -> Bool {
        buffer.writeImmutableBuffer(part)
        return buffer.readableBytes <= maximumSize
    }

    /// The next whole line without its end; nil until one is there.
    mutating func next() -> [UInt8]? {
        guard let end = buffer.readableBytesView.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) else {
            searched = buffer.readableBytes
            return nil
        }
        searched = 0
        let line = buffer.readBytes(length: end - buffer.readerIndex)
        buffer.moveReaderIndex(forwardBy: 1)
        buffer.discardReadBytes()
        return line
    }
}
