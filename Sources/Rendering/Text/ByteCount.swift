/// A number of bytes for people, in powers of 1000: `0 B`, `999 B`, `1.2 MB`.
package struct ByteCount: CustomStringConvertible {
    package let bytes: Int64

    package init(_ bytes: Int64) {
        self.bytes = bytes
    }

    package var description: String {
        var (whole, tenth) = (bytes, Int64(0))
        var units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"][...]
        while whole >= 1000, units.count > 1 {
            tenth = whole % 1000 / 100
            whole /= 1000
            units.removeFirst()
        }
        return whole == bytes ? "\(bytes) B" : "\(whole).\(tenth) \(units.first ?? "")"
    }
}
