/// A number of bytes for people, in powers of 1000: `0 B`, `999 B`, `1.2 MB`.
package struct ByteCount: CustomStringConvertible {
    package let bytes: Int64

    package init(_ bytes: Int64) {
        self.bytes = bytes
    }

    /// Reads a size as people write it: digits and a unit, such as `500kB` or `5MB`. Nil for everything else.
    package init?(written text: String) {
        let units: [Substring: Int64] = ["kB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000]
        // Six digits of the largest unit fit in 64 bits.
        guard let match = text.wholeMatch(of: /([0-9]{1,6})(kB|MB|GB|TB)/), let count = Int64(match.1),
            let unit = units[match.2]
        else { return nil }
        bytes = count * unit
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
