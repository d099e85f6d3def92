extension String {
    /// Returns the text with each occurrence of a code point replaced, for quoting. Swift's own `replacing` compares
    /// Characters, and misses a quote with a combining accent, which ends the quoted text for every other program.
    package func replacingScalar(_ scalar: Unicode.Scalar, with text: String) -> String {
        // Most texts don't have it.
        guard UInt8(exactly: scalar.value).map({ byte in byte > 0x7F || utf8.hasAny { $0 == byte } }) ?? true else {
            return self
        }
        var result = UnicodeScalarView()
        for found in unicodeScalars {
            guard found == scalar else {
                result.append(found)
                continue
            }
            // One by one: the time of `append(contentsOf:)` grows with the result *(measured, Swift 6.3)*.
            for replacement in text.unicodeScalars { result.append(replacement) }
        }
        return String(result)
    }
}

extension String.UTF8View {
    /// Returns true if any byte is wanted. It reads the memory in one go, which takes half as long as
    /// `contains(where:)`.
    package func hasAny(_ isWanted: (UInt8) -> Bool) -> Bool {
        withContiguousStorageIfAvailable { $0.contains(where: isWanted) } ?? contains(where: isWanted)
    }
}
