import Bytes

/// Requests the wanted capabilities from a server, and keeps track of the enabled ones (IRCv3 capability negotiation,
/// 302).
///
/// Requests and keeps only wanted capabilities, because servers offer decoys: a request for one makes them refuse the
/// whole line or end the connection.
package struct CapabilityNegotiation: Sendable {
    package enum Action: Sendable, Hashable {
        case send(IRCMessage)
        /// Each offered capability was granted or refused. Returned once, after the first `CAP LS`.
        case settled
        /// ``enabled`` has changed later, by `CAP NEW`, `DEL` or `LIST`.
        case changed
    }

    /// The longest REQ line in bytes. Servers cut or refuse lines above 512, and the ACK that repeats the request also
    /// has a source.
    static let maximumRequestBytes = 400

    private let wanted: Set<String>
    /// The wanted capabilities that the server offers, with their values.
    package private(set) var offered: [String: String] = [:]
    /// The server's last demand for TLS; nil if it made none. It is never requested, and `CAP DEL` does not end it.
    package private(set) var strictTransport: StrictTransport?
    /// The wanted capabilities that the server listed and then refused.
    package private(set) var refused: Set<String> = []
    /// True if the server has listed its capabilities.
    package private(set) var isListed = false
    /// The capabilities in force.
    package private(set) var enabled: Set<String> = []
    /// The next requests, the first one last. Each is sent when the one before is answered.
    private var queue: [[String]] = []
    private var inFlight: [String]?
    private var acknowledged: Set<String> = []
    private var listed: Set<String> = []
    private var isListing = true
    private var isSettled = false

    package init(wanted: Set<String>) {
        self.wanted = wanted
    }

    /// Returns the first request.
    package mutating func start() -> [Action] {
        [.send(IRCMessage("CAP", "LS", "302"))]
    }

    /// Takes a message. Returns nothing for one that isn't an answer to CAP.
    package mutating func receive(_ message: IRCMessage) -> [Action] {
        // 421: the server has no capabilities. 410: the server has capabilities, but not this subcommand.
        if ["421", "410"].contains(message.verb), message.param(1, is: "CAP") || message.verb == "410" {
            return isSettled ? [] : unanswered()
        }
        guard message.verb == "CAP", message.params.count >= 2 else { return [] }
        let hasMore = message.params.count > 3 && message.param(2) == [Byte.star]
        let names = message.params.count > 2 ? Self.names(message.params.last ?? []) : []
        switch message.param(1).visibleASCII?.uppercased() {
        case "LS": return receiveList(names, hasMore)
        case "NEW": return receiveNew(names)
        case "ACK": return receiveAcknowledgement(names, hasMore)
        case "NAK": return receiveRefusal()
        case "DEL": return receiveDeletion(names)
        case "LIST": return receiveEnabled(names, hasMore)
        default: return []
        }
    }

    private static func names(_ text: [UInt8]) -> [(name: String, value: String)] {
        text.split(separator: Byte.space).compactMap { item in
            let name = item.prefix { $0 != Byte.equals }
            let value = item[name.endIndex...].dropFirst()
            return name.visibleASCII.map { ($0, value.visibleASCII ?? "") }
        }
    }

    private mutating func offer(_ names: [(name: String, value: String)]) {
        for (name, value) in names where wanted.contains(name) { offered[name] = value }
        for (name, value) in names where name == "sts" { strictTransport = StrictTransport(value) }
    }

    private mutating func receiveList(_ names: [(name: String, value: String)], _ hasMore: Bool) -> [Action] {
        offer(names)
        guard isListing, !hasMore else { return [] }
        (isListing, isListed) = (false, true)
        return requestMissing()
    }

    private mutating func receiveNew(_ names: [(name: String, value: String)]) -> [Action] {
        offer(names)
        return isListing ? [] : requestMissing()
    }

    private mutating func requestMissing() -> [Action] {
        let requested = Set(queue.joined()).union(inFlight ?? []).union(enabled)
        queue.insert(
            contentsOf: Self.packed(offered.keys.filter { !requested.contains($0) }.sorted()).reversed(), at: 0)
        return inFlight == nil ? next() : []
    }

    /// Distributes names over as few lines as the limit allows.
    private static func packed(_ names: [String]) -> [[String]] {
        var (lines, bytes) = ([[String]](), 0)
        for name in names {
            bytes += name.utf8.count + 1
            if lines.isEmpty || bytes > maximumRequestBytes - "CAP REQ :\r\n".utf8.count {
                lines.append([])
                bytes = name.utf8.count + 1
            }
            lines[lines.count - 1].append(name)
        }
        return lines
    }

    private mutating func next() -> [Action] {
        inFlight = queue.popLast()
        acknowledged = []
        if let inFlight { return [.send(IRCMessage("CAP", "REQ", inFlight.joined(separator: " ")))] }
        defer { isSettled = true }
        return isSettled ? [] : [.settled]
    }

    private mutating func receiveAcknowledgement(
        _ names: [(name: String, value: String)], _ hasMore: Bool
    ) -> [Action] {
        let before = enabled
        for (name, _) in names {
            // A server may withdraw a capability: `-name`.
            if name.hasPrefix("-") { enabled.remove(String(name.dropFirst())) }
            if let inFlight, inFlight.contains(name) {
                acknowledged.insert(name)
                enabled.insert(name)
            }
        }
        let change: [Action] = isSettled && enabled != before ? [.changed] : []
        guard let inFlight, !acknowledged.isEmpty, !hasMore || acknowledged.isSuperset(of: inFlight) else {
            return change
        }
        return change + next()
    }

    /// Handles a refusal of the request in flight. The refusal may name the request only partly, or not.
    private mutating func receiveRefusal() -> [Action] {
        guard let request = inFlight else { return [] }
        if request.count > 1 {
            queue += request.reversed().map { [$0] }
        } else {
            for name in request { offered[name] = nil }
            refused.formUnion(request)
        }
        return next()
    }

    private mutating func receiveDeletion(_ names: [(name: String, value: String)]) -> [Action] {
        let before = enabled
        for (name, _) in names {
            offered[name] = nil
            enabled.remove(name)
            queue = queue.map { $0.filter { $0 != name } }.filter { !$0.isEmpty }
        }
        return isSettled && enabled != before ? [.changed] : []
    }

    /// Takes over the server's list of enabled capabilities.
    private mutating func receiveEnabled(_ names: [(name: String, value: String)], _ hasMore: Bool) -> [Action] {
        listed.formUnion(names.map(\.name).filter(wanted.contains))
        guard !hasMore else { return [] }
        defer { listed = [] }
        guard listed != enabled else { return [] }
        enabled = listed
        return isSettled ? [.changed] : []
    }

    private mutating func unanswered() -> [Action] {
        (isListing, queue, inFlight) = (false, [], nil)
        return next()
    }
}
