/// The keys of locked channels (mode `k`), from a file or a variable.
package enum IRCChannelKeys {
    /// Reads `#room key`, one a line or separated by commas; neither contains a space or a comma.
    ///
    /// - Returns: The keys by room, and the number of the first invalid line, from 1.
    package static func parse(_ text: String) -> (keys: [String: String], wrongLine: Int?) {
        var keys: [String: String] = [:]
        var wrongLine: Int?
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            for pair in line.split(separator: ",") {
                let words = pair.split { $0 == " " || $0 == "\t" }
                if words.isEmpty { continue }
                if words.count == 2, words.allSatisfy(isWord) {
                    keys[String(words[0])] = String(words[1])
                } else {
                    wrongLine = wrongLine ?? index + 1
                }
            }
        }
        return (keys, wrongLine)
    }

    /// Returns true if the word can be sent as a parameter.
    private static func isWord(_ word: Substring) -> Bool {
        !word.hasPrefix(":") && word.utf8.count <= 255 && !word.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
    }
}
