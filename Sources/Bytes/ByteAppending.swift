extension [UInt8] {
    /// Appends a number in decimal digits, with zeros before it up to the width. The sign of a number below 0 is before
    /// its digits and after the zeros, and counts for the width.
    ///
    /// - Parameter width: The smallest number of bytes.
    package mutating func append(decimal number: Int64, width: Int = 1) {
        var (rest, digits) = (number.magnitude, number < 0 ? 2 : 1)
        while rest >= 10 { (rest, digits) = (rest / 10, digits + 1) }
        append(contentsOf: repeatElement(Byte.zero, count: Swift.max(width, digits)))
        (rest, digits) = (number.magnitude, count)
        while rest > 0 {
            digits -= 1
            self[digits] = Byte.zero + UInt8(rest % 10)
            rest /= 10
        }
        if number < 0 { self[digits - 1] = Byte.dash }
    }

    /// Appends the bytes of a text at once.
    package mutating func append(utf8 text: String) {
        let isAppended: Void? = text.utf8.withContiguousStorageIfAvailable { append(contentsOf: $0) }
        if isAppended == nil { self += text.utf8 }
    }
}
