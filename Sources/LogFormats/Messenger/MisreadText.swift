/// Repairs texts that are UTF-8 but were read as Latin-1, as Meta's exports write them: `Ã©` for `é`.
enum MisreadText {
    /// Returns the text as it was meant: with its characters as bytes, if these are valid UTF-8 beyond ASCII and no
    /// character is above U+00FF; else unchanged.
    static func repaired(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return text }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }
}
