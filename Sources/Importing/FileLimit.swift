/// Counts the files that an import finds, which are all held in memory at once.
struct FileLimit {
    /// 120,000, at some 600 bytes each until they are imported *(measured)*: 72 MB. A year of 300 channels with a file a day
    /// has 109,500.
    static let maximumFiles = 120_000
    /// 16 MiB of names: 130 bytes for each of so many.
    static let maximumBytes = 16 * 1024 * 1024

    /// How many more there may be.
    private(set) var files = maximumFiles
    private var bytes = maximumBytes

    /// Counts a file that has a name of so many bytes.
    ///
    /// - Throws: ``UnreadableBytes`` where there are too many.
    mutating func take(_ name: Int) throws(UnreadableBytes) {
        guard files > 0, bytes >= name else { throw .tooManyFiles }
        files -= 1
        bytes -= name
    }
}
