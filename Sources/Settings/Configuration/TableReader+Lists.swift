extension TableReader {
    /// Reports a list that must have an item: as missing, or as empty.
    mutating func reportMissingList(_ key: String, expected: String) {
        guard has(key) else { return reportMissing(key, expected: expected) }
        report(key, expected: expected, found: "an empty list")
    }
}
