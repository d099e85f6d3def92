/// The bytes of an open file, which is closed when the value is released.
struct FileBytes {
    private let bytes: any ByteChunks
    /// The file's path for people.
    private let shown: String

    init(_ bytes: any ByteChunks, _ shown: String) {
        (self.bytes, self.shown) = (bytes, shown)
    }

    /// Returns the next unpacked bytes; none at the end.
    ///
    /// - Throws: ``ImportError``; ``ImportStopped`` when asked to stop.
    func next() throws -> ArraySlice<UInt8> { try ImportError.naming(shown) { try bytes.next() } }

    /// Waits for a pipe's next bytes, at most ``ByteChunk/quietTime``. Returns true if none have come.
    ///
    /// - Throws: ``ImportStopped`` when asked to stop.
    func isQuiet() throws -> Bool { try bytes.isQuiet() }
}
