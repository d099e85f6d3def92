/// A value's bytes at an address that stays; no address for NULL.
final class BoundBytes {
    let start: UnsafePointer<CChar>?
    let count: CInt

    init(_ bytes: [UInt8]?) {
        count = CInt(bytes?.count ?? 0)
        guard let bytes else {
            start = nil
            return
        }
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 8)
        bytes.withUnsafeBytes { if let base = $0.baseAddress { copy.copyMemory(from: base, byteCount: $0.count) } }
        start = UnsafePointer(copy.assumingMemoryBound(to: CChar.self))
    }

    deinit { UnsafeMutableRawPointer(mutating: start)?.deallocate() }
}
