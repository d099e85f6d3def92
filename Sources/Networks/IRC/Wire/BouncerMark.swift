import Bytes

/// A bouncer's notice about its connection to the network, while we are connected to the bouncer.
package enum BouncerMark: Sendable, Hashable {
    /// The bouncer lost the connection.
    case lost
    /// The bouncer connected, for the first time or again.
    case connected

    /// The source of soju's service. No user of a network has this address (soju 0.9, service.go).
    private static let service = Array("BouncerServ!BouncerServ@BouncerServ")
    /// The first byte of ZNC's modules; no nick begins with it.
    private static let modulePrefix = Byte.star

    /// Reads a live message after the registration; nil if it isn't such a notice.
    package init?(_ message: IRCMessage, support: ISupport) {
        switch message.verb {
        // ZNC passes on the network's welcome.
        case "001": self = .connected
        case "BOUNCER":
            guard message.param(0, is: "NETWORK"), message.param(1) == support["BOUNCER_NETID"] ?? message.param(1)
            else { return nil }
            let states = message.param(2).split(separator: UInt8(ascii: ";")).map { Array($0) }
            if states.contains(Array("state=disconnected")) {
                self = .lost
            } else if states.contains(Array("state=connected")) {
                self = .connected
            } else {
                return nil
            }
        // bip takes the account out of each of its rooms (bip 0.9.3).
        case "KICK":
            guard message.source.map(Self.isBip) == true else { return nil }
            self = .lost
        case "NOTICE", "PRIVMSG":
            guard let source = message.source, Self.isBouncer(source) else { return nil }
            self.init(says: DecodedText(message.param(1)).text, isService: source.bytes == Self.service)
        default: return nil
        }
    }

    /// Reads the words of ZNC 1.8 and 1.9, and of soju 0.9.
    private init?(says text: String, isService: Bool) {
        let lost = isService ? ["disconnected from "] : ["Disconnected from IRC", "IRC connection timed out"]
        if lost.contains(where: text.hasPrefix) {
            self = .lost
        } else if isService, text.hasPrefix("connected to ") {
            self = .connected
        } else {
            return nil
        }
    }

    /// Returns true if the source is a bouncer itself, not a user of the network.
    package static func isBouncer(_ source: IRCSource) -> Bool {
        source.bytes == service || source.nick.first == modulePrefix || isBip(source)
    }

    /// Returns true if the source is bip itself.
    package static func isBip(_ source: IRCSource) -> Bool {
        source.nick == BipLine.ownNick && BipLine.isOfBip(source)
    }
}
