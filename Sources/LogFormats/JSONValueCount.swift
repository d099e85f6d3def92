/// Counts the values of a piece of JSON before it is decoded: two bytes (`1,`) become some hundred in memory.
enum JSONValueCount {
    /// 100,000. The densest real message is one of DiscordChatExporter's with many reactions: eight values in about 400
    /// bytes for each user who reacted, so 84,000 in 4 MiB.
    static let maximum = 100_000

    /// Returns whether there are more values: each list, object and comma outside of strings counts as one.
    static func exceeds(_ limit: Int, in bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count > limit else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            var (count, isString, isEscaped) = (0, false, false)
            for byte in bytes {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\"") {
                    isString.toggle()
                } else if isString {
                    isEscaped = byte == UInt8(ascii: "\\")
                } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
                    count += 1
                    if count > limit { return true }
                }
            }
            return false
        }
    }
}
