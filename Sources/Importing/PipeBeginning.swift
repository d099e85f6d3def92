import LogFormats

/// The bytes of a pipe that were read before its import, to recognise its format.
struct PipeBeginning: Sendable {
    /// The bytes, which may be packed.
    private(set) var bytes: [UInt8] = []
    /// True if the pipe may have more of the beginning: it has not ended, and has sent less than
    /// ``LogSource/beginningSize``.
    private(set) var isOpen = true

    /// Reads on, until the pipe has sent enough or is quiet after at least a line.
    ///
    /// - Parameter isFormatKnown: True to return after the first line, or the first bytes before a pause.
    /// - Throws: ``UnreadableBytes``; ``ImportStopped`` when asked to stop.
    mutating func fill(from chunks: some ByteChunks, isFormatKnown: Bool) throws {
        var hasNew = false
        while isOpen {
            let hasLine = bytes.contains(UInt8(ascii: "\n"))
            if hasNew, hasLine && isFormatKnown { return }
            if hasNew, hasLine || isFormatKnown, try chunks.isQuiet() { return }
            let more = try chunks.next()
            bytes += more
            hasNew = true
            isOpen = !more.isEmpty && bytes.count < LogSource.beginningSize
        }
    }
}
