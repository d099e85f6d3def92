/// Counts the values of a JSON text before it is decoded: two bytes (`1,`) become some hundred in memory.
package enum JSONValueCount {
    /// Returns true if a text has more values than the limit. Counts commas and opening brackets outside strings.
    package static func exceeds(_ limit: Int, in bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= limit else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            var (count, isString, isEscaped) = (1, false, false)
            for byte in bytes where count <= limit {
                if isEscaped {
                    isEscaped = false
                } else if byte == Byte.quote {
                    isString.toggle()
                } else if isString {
                    isEscaped = byte == Byte.backslash
                } else if byte == Byte.comma || byte == Byte.listStart || byte == Byte.objectStart {
                    count += 1
                }
            }
            return count > limit
        }
    }
}
