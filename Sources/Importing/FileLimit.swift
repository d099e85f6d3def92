/// Counts the files that an import finds. All of them are in memory at the same time (``FoundFiles``).
struct FileLimit {
    /// 2,000,000 files, at 24 bytes each plus their names. A Slack export of ten years and 500 channels has 1.8
    /// million, one file a day.
    static let maximumFiles = 2_000_000
    /// 40 MiB of names: 15 bytes for each of 2,000,000, two more for their length, and the folders.
    static let maximumBytes = 40 * 1024 * 1024

    /// The number of files that may still be added.
    private(set) var files = maximumFiles
    private var bytes = maximumBytes

    /// Counts a file or folder.
    ///
    /// - Parameter name: The bytes of its name.
    /// - Throws: ``UnreadableBytes`` if the limit is exceeded.
    mutating func take(_ name: Int) throws(UnreadableBytes) {
        guard files > 0, bytes >= name else { throw .tooManyFiles }
        files -= 1
        bytes -= name
    }
}
