/// A host that serves a domain, as DNS says (RFC 2782).
package struct ServiceRecord: Sendable, Hashable {
    package var priority: UInt16
    package var weight: UInt16
    package var port: UInt16
    package var host: String

    package init(priority: UInt16, weight: UInt16, port: UInt16, host: String) {
        (self.priority, self.weight, self.port, self.host) = (priority, weight, port, host)
    }

    /// Reads the records in an answer of DNS (RFC 1035 §4); nil for bytes that are none. A record `.` says that the domain
    /// has no such service, and is left out.
    package static func all(in answer: [UInt8]) -> [ServiceRecord]? {
        var reader = Reader(bytes: answer)
        guard reader.skip(4), let questions = reader.number(), let answers = reader.number(), reader.skip(4) else {
            return nil
        }
        for _ in 0..<questions {
            guard reader.name() != nil, reader.skip(4) else { return nil }
        }
        var records: [ServiceRecord] = []
        for _ in 0..<answers {
            guard reader.name() != nil, let type = reader.number(), reader.skip(6), let length = reader.number() else {
                return nil
            }
            let end = reader.place + length
            if type == 33 {
                guard let priority = reader.number(), let weight = reader.number(), let port = reader.number(),
                    let host = reader.name(), reader.place == end
                else { return nil }
                if !host.isEmpty {
                    records.append(
                        ServiceRecord(
                            priority: UInt16(priority), weight: UInt16(weight), port: UInt16(port), host: host))
                }
            }
            guard end <= answer.count else { return nil }
            reader.place = end
        }
        return records
    }

    private struct Reader {
        let bytes: [UInt8]
        var place = 0

        mutating func skip(_ count: Int) -> Bool {
            place += count
            return place <= bytes.count
        }

        /// Reads two bytes.
        mutating func number() -> Int? {
            guard place + 2 <= bytes.count else { return nil }
            defer { place += 2 }
            return Int(bytes[place]) << 8 | Int(bytes[place + 1])
        }

        /// Reads a name, which may end with the place of an earlier one.
        mutating func name() -> String? {
            var (labels, next, end): ([String], Int, Int?) = ([], place, nil)
            // A name has at most 127 labels, and as many pointers are more than any server sends.
            for _ in 0..<255 {
                guard next < bytes.count else { return nil }
                let length = Int(bytes[next])
                if length == 0 {
                    place = end ?? next + 1
                    return labels.joined(separator: ".")
                }
                if length & 0xC0 == 0xC0 {
                    guard next + 1 < bytes.count else { return nil }
                    end = end ?? next + 2
                    next = (length & 0x3F) << 8 | Int(bytes[next + 1])
                } else {
                    guard length < 0x40, next + 1 + length <= bytes.count else { return nil }
                    labels.append(String(decoding: bytes[(next + 1)...(next + length)], as: UTF8.self))
                    next += 1 + length
                }
            }
            return nil
        }
    }
}
