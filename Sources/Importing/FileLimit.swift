/// Counts the files that an import finds, which are all held in memory at once (``FoundFiles``).
struct FileLimit {
    /// 2,000,000, at 24 bytes each and their names. A Slack export of ten years and 500 channels has 1.8 million, a file a day.
    static let maximumFiles = 2_000_000
    /// 40 MiB of names: 15 bytes for each of so many, two more for their length, and the folders.
    static let maximumBytes = 40 * 1024 * 1024

    /// How many more there may be.
    private(set) var files = maximumFiles
    private var bytes = maximumBytes

    /// Counts a file or a folder that has a name of so many bytes.
    ///
    /// - Throws: ``UnreadableBytes`` where there are too many.
    mutating func take(_ name: Int) throws(UnreadableBytes) {
        guard files > 0, bytes >= name else { throw .tooManyFiles }
        files -= 1
        bytes -= name
    }
}
