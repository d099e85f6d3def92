import Glibc

/// A source of bytes, read in chunks.
protocol ByteChunks: AnyObject {
    /// Returns at most ``ByteChunk/size`` bytes; none at the end.
    ///
    /// - Throws: ``UnreadableBytes``; ``ImportStopped`` when asked to stop.
    func next() throws -> ArraySlice<UInt8>
    /// Waits until the next bytes or the end have arrived, at most ``ByteChunk/quietTime``. Returns true if nothing has
    /// arrived, so that ``next()`` may wait for long; always false for a file.
    ///
    /// - Throws: ``ImportStopped`` when asked to stop.
    func isQuiet() throws -> Bool
}

extension ByteChunks {
    func isQuiet() throws -> Bool { false }
}

enum ByteChunk {
    /// The number of bytes that are read, unpacked and examined at a time.
    static let size = 64 * 1024
    /// The time without bytes after which a pipe is quiet: longer than the pauses of a program that works.
    static let quietTime = Duration.seconds(1)
}

/// The reason why bytes can't be read.
struct UnreadableBytes: Error, Hashable {
    let reason: String
    /// A suggestion for people.
    var hint = "check that it is complete"

    init(reason: String, hint: String = "check that it is complete") {
        (self.reason, self.hint) = (reason, hint)
    }

    /// The error of compressed bytes that break off.
    static let incomplete = UnreadableBytes(reason: "ends too early")

    init(errno code: Int32) {
        self.init(reason: String(cString: strerror(code)), hint: "check its name and its permissions")
    }
}

/// The bytes of a descriptor, which this object closes when it is released.
final class DescriptorChunks: ByteChunks {
    private let descriptor: Int32
    private let isPipe: Bool
    private let isStopped: () -> Bool
    /// The number of bytes that may still be read.
    private var remaining: Int64
    private var buffer = [UInt8](repeating: 0, count: ByteChunk.size)

    /// The longest wait for an idle pipe, in milliseconds, before the next call of `isStopped`.
    private static let timeout: Int32 = 200

    /// - Parameters:
    ///   - limit: The limit of bytes to read.
    ///   - isPipe: True if the bytes may come slowly.
    init(_ descriptor: Int32, limit: Int64 = .max, isPipe: Bool = false, isStopped: @escaping () -> Bool) {
        self.descriptor = descriptor
        self.isPipe = isPipe
        self.isStopped = isStopped
        remaining = limit
    }

    convenience init(path: String, isStopped: @escaping () -> Bool) throws(UnreadableBytes) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw UnreadableBytes(errno: errno) }
        self.init(descriptor, isStopped: isStopped)
    }

    deinit {
        close(descriptor)
    }

    func isQuiet() throws -> Bool {
        guard isPipe else { return false }
        let end = ContinuousClock.now + ByteChunk.quietTime
        repeat {
            if try hasCome() { return false }
        } while ContinuousClock.now < end
        return true
    }

    /// Waits a short time for bytes, the end or an error.
    private func hasCome() throws -> Bool {
        if isStopped() { throw ImportStopped() }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = poll(&waiting, 1, Self.timeout)
        return ready > 0 || ready < 0 && errno != EINTR
    }

    func next() throws -> ArraySlice<UInt8> {
        while remaining > 0 {
            guard try hasCome() else { continue }
            let count = read(descriptor, &buffer, Int(min(remaining, Int64(buffer.count))))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw UnreadableBytes(errno: errno) }
            remaining -= Int64(count)
            return buffer[..<count]
        }
        return []
    }
}

/// Bytes that were read before, followed by the rest.
final class ReplayedChunks: ByteChunks {
    private var first: [UInt8]
    private let rest: (any ByteChunks)?

    init(_ first: [UInt8], then rest: (any ByteChunks)?) {
        (self.first, self.rest) = (first, rest)
    }

    func next() throws -> ArraySlice<UInt8> {
        guard !first.isEmpty else { return try rest?.next() ?? [] }
        defer { first = [] }
        return first[...]
    }

    func isQuiet() throws -> Bool { try first.isEmpty && rest?.isQuiet() ?? false }
}

/// Unpacks gzip, and passes on other bytes unchanged.
final class UnpackedChunks: ByteChunks {
    private let packed: any ByteChunks
    private var inflater: Inflater?
    private var input: ArraySlice<UInt8> = []
    private var isBegun = false

    init(_ packed: any ByteChunks) {
        self.packed = packed
    }

    /// The magic bytes of compressions that can't be unpacked here.
    private static let foreign: [(magic: [UInt8], name: String)] = [
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz"), (Array("BZh".utf8), "bzip2"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"),
    ]

    func isQuiet() throws -> Bool { try (inflater == nil || input.isEmpty) && packed.isQuiet() }

    func next() throws -> ArraySlice<UInt8> {
        if !isBegun {
            isBegun = true
            input = try packed.next()
            if let name = Self.foreign.first(where: { input.starts(with: $0.magic) })?.name {
                throw UnreadableBytes(reason: "compressed with \(name)", hint: "unpack it first")
            }
            guard input.starts(with: [0x1F, 0x8B]) else { return input }
            inflater = try Inflater(.gzip)
        }
        guard let inflater else { return try packed.next() }
        while true {
            let bytes = try inflater.next(from: &input)
            if !bytes.isEmpty { return bytes }
            input = try packed.next()
            guard input.isEmpty else { continue }
            guard inflater.isAtEnd else { throw UnreadableBytes.incomplete }
            return []
        }
    }
}
