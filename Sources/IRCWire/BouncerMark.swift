import Bytes

/// What a bouncer says of its connection to the network, while we are connected to the bouncer.
package enum BouncerMark: Sendable, Hashable {
    /// It has none any more.
    case lost
    /// It has one again, or for the first time.
    case connected

    /// Of soju's service; nobody on a network has this address (soju 0.9, service.go).
    private static let service = Array("BouncerServ!BouncerServ@BouncerServ")
    /// Of ZNC's, as of all its modules; no nick begins with it.
    private static let modulePrefix = Byte.star

    /// Reads a message of now that comes after the registration; nil where it says nothing of this.
    package init?(_ message: IRCMessage, support: ISupport) {
        switch message.verb {
        // ZNC passes on how the network welcomes it.
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
        case "NOTICE", "PRIVMSG":
            guard let source = message.source, Self.isBouncer(source) else { return nil }
            self.init(says: DecodedText(message.param(1)).text, isService: source.bytes == Self.service)
        default: return nil
        }
    }

    /// ZNC 1.8 and 1.9, and soju 0.9.
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

    /// Whether a bouncer itself speaks, and not somebody on the network.
    package static func isBouncer(_ source: IRCSource) -> Bool {
        source.bytes == service || source.nick.first == modulePrefix
    }
}
