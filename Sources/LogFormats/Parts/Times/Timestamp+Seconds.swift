import Bytes
import ChatModel

extension Timestamp {
    /// Reads seconds since 1970 with an optional fraction: `1355517523.000005`; nil for another text. Digits after the
    /// sixth of the fraction are dropped.
    init?(secondsText text: String) {
        let bytes = Array(text.utf8)[...]
        // Twelve digits reach to the year 33658.
        let digits = bytes.prefix(while: Byte.isDigit)
        var scanner = ByteScanner(bytes[digits.endIndex...])
        guard !digits.isEmpty, digits.count <= 12, let fraction = scanner.fraction(), scanner.rest.isEmpty else {
            return nil
        }
        let seconds = digits.reduce(0) { $0 * 10 + Int64($1 - Byte.zero) }
        self = Timestamp(seconds: seconds).advanced(byMicroseconds: fraction)
    }
}
