/// Comparisons whose time does not depend on the bytes.
enum ConstantTime {
    /// Returns true for equal bytes. Only the lengths may change the time.
    static func areEqual(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
