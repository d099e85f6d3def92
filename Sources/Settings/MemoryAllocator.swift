import Glibc

/// Settings of glibc's allocator, for the rest of the process.
package enum MemoryAllocator {
    /// `M_MMAP_THRESHOLD` of mallopt(3), whose header Swift doesn't see.
    private static let largeBlock: Int32 = -3
    /// `M_ARENA_MAX`.
    private static let arenas: Int32 = -8

    /// Returns blocks of 256 KiB and more, in which messages of megabytes are read and indexed, to the system as soon
    /// as they are free.
    ///
    /// By default glibc keeps them: its threshold rises with each freed block, up to 32 MiB, and each thread then has
    /// some. With two accounts flooded with messages of 1 MiB, the listener had 180 MiB by default, and has 117 MiB
    /// with this *(measured)*.
    package static func returnLargeBlocks() { set(largeBlock, to: 256 * 1024) }

    /// Lets all threads take memory from one arena. By default each has its own, and keeps there what other threads
    /// freed: an import had 70 MiB, and has 62 MiB with this, in the same time *(measured)*.
    package static func shareArena() { set(arenas, to: 1) }

    private static func set(_ option: Int32, to value: Int32) {
        typealias Function = @convention(c) (Int32, Int32) -> Int32
        guard let symbol = dlsym(nil, "mallopt") else { return }
        _ = unsafeBitCast(symbol, to: Function.self)(option, value)
    }
}
