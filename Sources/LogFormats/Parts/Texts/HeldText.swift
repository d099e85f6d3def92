/// The text of a message of several lines, until another message begins.
struct HeldText: Sendable {
    /// 64 KiB, the limit of a line in the other logs. The rest is cut off.
    static let maximumSize = 64 * 1024

    private var bytes: [UInt8]
    /// The number of empty lines at the end. They belong to the message only if another line of it follows.
    private var emptyLines = 0
    private(set) var isCut: Bool

    init(_ first: ArraySlice<UInt8>, isCut: Bool) {
        (bytes, self.isCut) = ([], isCut)
        add(first)
    }

    mutating func append(_ line: ArraySlice<UInt8>, isCut: Bool) {
        guard !line.isEmpty else {
            emptyLines = min(emptyLines + 1, Self.maximumSize)
            return
        }
        add(Array(repeating: UInt8(ascii: "\n"), count: emptyLines + 1)[...])
        emptyLines = 0
        add(line)
        if isCut { self.isCut = true }
    }

    /// The text without a character that the cut left incomplete.
    var whole: ArraySlice<UInt8> {
        guard isCut, let lead = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes[...] }
        let length = max(1, (~bytes[lead]).leadingZeroBitCount)
        return lead + length > bytes.count && length <= 4 ? bytes[..<lead] : bytes[...]
    }

    private mutating func add(_ more: ArraySlice<UInt8>) {
        let room = isCut && !bytes.isEmpty ? 0 : Self.maximumSize - bytes.count
        bytes += more.prefix(room)
        if more.count > room { isCut = true }
    }
}
