/// The amounts of bytes in a file and of those that come out of it.
struct Expansion {
    var packed: Int64 = 0
    var unpacked: Int64 = 0

    /// The limit of unpacked bytes for each packed byte. Exports of chats have 5 to 30, and a log that repeats one line
    /// with its times has 100. Deflate's maximum is 1,032.
    static let maximumRatio: Int64 = 200
    /// 64 MiB. Smaller results are harmless at any ratio.
    private static let leastSuspicious: Int64 = 64 << 20

    /// True if so much comes out that somebody may have wanted to fill a disk.
    var isExcessive: Bool { unpacked > Self.leastSuspicious && unpacked / Self.maximumRatio > packed }
}
