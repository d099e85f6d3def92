import ChatModel
import HTTPTypes
import Synchronization

/// The zone of a reader, which the pages' script sends in a cookie.
enum ReaderZone {
    static let cookie = "tz"

    /// The longest name of the tz database has 32 letters: `America/Argentina/ComodRivadavia`.
    private static let limit = 40

    /// The known zones by name, because Foundation reads a file for each.
    private static let zones = Mutex<[String: Zone]>([:])
    /// The limit of ``zones``: more than the tz database has.
    private static let cacheLimit = 1000

    /// Returns the zone that a request names; nil if it names none, or one that does not exist.
    static func zone(of headers: HTTPFields) -> Zone? {
        for header in headers[values: .cookie] {
            for pair in header.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                guard pair.hasPrefix(cookie + "=") else { continue }
                return zone(named: String(pair.dropFirst(cookie.count + 1)))
            }
        }
        return nil
    }

    /// Returns a zone of the tz database; nil for any other text, such as a path.
    static func zone(named name: String) -> Zone? {
        let name = name.replacing("%2F", with: "/")
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "+"):
                true
            default: false
            }
        }
        guard isName, !name.isEmpty, name.utf8.count <= limit else { return nil }
        return zones.withLock { zones in
            if let zone = zones[name] { return zone }
            guard let zone = Zone(identifier: name) else { return nil }
            if zones.count < cacheLimit { zones[name] = zone }
            return zone
        }
    }
}
