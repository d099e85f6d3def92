import Glibc

extension Zone {
    /// The local zone: of `TZ`, else of `/etc/localtime`, else UTC. UTC for an unknown zone in `TZ`.
    package static let current: Zone = {
        if let variable { return variable.zone ?? .gmt }
        let path = "/etc/localtime"
        return linkedName.flatMap { Zone(identifier: $0) } ?? Zone(file: path, identifier: path) ?? .gmt
    }()

    /// The value of `TZ`, and its zone; nil without the variable.
    private static let variable: (text: String, zone: Zone?)? = getenv("TZ").map {
        let text = String(cString: $0)
        return (text, Zone(variable: text))
    }

    /// The value of `TZ` if it names an unknown zone, so that local times are read as UTC; nil otherwise.
    package static var unknownVariable: String? {
        variable.flatMap { $0.zone == nil && !$0.text.isEmpty ? $0.text : nil }
    }

    /// Reads a value of `TZ` as tzset(3) does: a zone's name, also after `:` or a path of zones, or a fixed offset such as
    /// `KST-9`, whose sign is the opposite of ISO 8601's. Nil for another value, such as a rule of summer time.
    package init?(variable: String) {
        var name = variable.hasPrefix(":") ? variable.dropFirst() : variable[...]
        if name == "/etc/localtime", let linked = Self.linkedName { name = linked[...] }
        if let folder = name.firstRange(of: "/zoneinfo/") { name = name[folder.upperBound...] }
        // The initializer would read GMT+9 as 9 hours east.
        guard let zone = Self.fixed(name) ?? Zone(identifier: String(name)) else { return nil }
        self = zone
    }

    private static func fixed(_ text: Substring) -> Zone? {
        // Spares most values the regular expression, whose first use takes half a millisecond.
        guard text.last?.isNumber == true,
            let match = text.wholeMatch(of: /(?:<[^>]+>|[A-Za-z]{3,})([+-]?)(\d{1,2})(?::(\d\d))?(?::(\d\d))?/)
        else {
            return nil
        }
        let (hours, minutes, seconds) = (
            Int(match.2) ?? 0, match.3.flatMap { Int($0) } ?? 0, match.4.flatMap { Int($0) } ?? 0
        )
        let offset = hours * 3600 + minutes * 60 + seconds
        return hours <= 24 ? Zone(secondsFromGMT: match.1 == "-" ? offset : -offset) : nil
    }

    /// The zone's name in the target of `/etc/localtime`; nil if that is not a link to a zone.
    private static var linkedName: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { target in
            target.initialize(repeating: 0)
            guard let base = target.baseAddress, readlink("/etc/localtime", base, Int(PATH_MAX)) > 0,
                let folder = strstr(base, "/zoneinfo/")
            else { return nil }
            return String(cString: folder + strlen("/zoneinfo/"))
        }
    }
}
