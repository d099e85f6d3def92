/// A room of the configuration: `room@conference.example.org`, or `room@conference.example.org/nick` to join under that
/// nick.
package struct XMPPRoomAddress: Sendable, Hashable {
    /// The address without a nick, in lower case.
    package var room: String
    /// Nil for the account's nick.
    package var nick: String?

    package init?(_ text: String) {
        guard let match = text.wholeMatch(of: /([^\s"&'\/:<>@]{1,1023}@[^\s\/@]{1,1023})(?:\/(.{1,1023}))?/) else {
            return nil
        }
        (room, nick) = (match.1.lowercased(), match.2.map(String.init))
    }

    /// Reads the passwords of rooms: an address, a space and the password, one room a line.
    ///
    /// - Returns: The passwords by room, and the number of the first invalid line, from 1.
    package static func passwords(_ text: String) -> (passwords: [String: String], wrongLine: Int?) {
        var passwords: [String: String] = [:]
        var wrongLine: Int?
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.isEmpty { continue }
            if parts.count == 2, let address = XMPPRoomAddress(String(parts[0])), address.nick == nil {
                passwords[address.room] = String(parts[1])
            } else {
                wrongLine = wrongLine ?? index + 1
            }
        }
        return (passwords, wrongLine)
    }
}
