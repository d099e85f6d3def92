extension UnitFramer {
    mutating func readChunk(
        _ bytes: [UInt8], at time: Int64, filledBuffer: Bool, known: KnownNames
    ) -> [StreamUnit] {
        var units: [StreamUnit] = []
        if !pending.isEmpty, !continues(bytes, at: time, known: known) { units += takePending() }
        append(bytes[...], at: time, cutInto: &units)
        (lastRead, lastFilledBuffer) = (time, filledBuffer)
        return units
    }

    /// Returns true if a read belongs to the unit before it.
    ///
    /// A code point counts as incomplete only if the following bytes could complete it. A read that begins differently
    /// shows that the rest never comes, and is judged like any other.
    private func continues(_ bytes: [UInt8], at time: Int64, known: KnownNames) -> Bool {
        let wait = time &- lastRead
        if let first = bytes.first, first & 0xC0 == 0x80, pending[...].incompleteTail > 0 {
            return wait < limits.continuation &+ limits.codePoint
        }
        guard wait < limits.continuation else { return false }
        return lastFilledBuffer || !begins(bytes, known)
    }

    private func begins(_ bytes: [UInt8], _ known: KnownNames) -> Bool {
        // A known name is short, so only the beginning of the read is searched for the separator after it.
        let head = bytes.prefix(known.maximumBytes + Token.separator.count)
        if let colons = head.firstSeparator, known.contains(head[..<colons]) { return true }
        return switch UnitShape(bytes[...]) {
        case .joined(let name), .left(let name): !name.isEmpty && !isStartOfName(followedBy: bytes)
        case .message, .system, .nothing: false
        }
    }

    /// Returns true if `pending` is the beginning of a notice that was split within its name, instead of a unit: a line
    /// without an end that forms a name with the following bytes.
    private func isStartOfName(followedBy rest: [UInt8]) -> Bool {
        // Ten Characters of family emoji take 250 bytes, so longer texts need no search.
        guard pending.count <= 256, rest.count <= 256, case .system(let line) = UnitShape(pending[...]),
            line.count == pending.count
        else { return false }
        let both = pending + rest
        guard let ending = UnitShape.firstNoticeEnding(both[...]) else { return false }
        return String(decoding: both[..<ending.lowerBound], as: UTF8.self).count <= Outgoing.maximumName
    }

    /// Appends bytes. Bytes above the limit become separate units, cut between code points.
    private mutating func append(_ bytes: ArraySlice<UInt8>, at time: Int64, cutInto units: inout [StreamUnit]) {
        var rest = bytes
        while true {
            if pending.isEmpty { pendingTime = time }
            let part = rest.prefix(max(0, limits.unitBytes - pending.count))
            pending += part
            rest = rest[part.endIndex...]
            guard !rest.isEmpty else { return }
            units += cut(at: time)
        }
    }

    /// Ends `pending` at the limit, as an oversize unit; an incomplete code point begins the next unit.
    private mutating func cut(at time: Int64) -> [StreamUnit] {
        let tail = Array(pending.suffix(pending[...].incompleteTail))
        pending.removeLast(tail.count)
        var units = takePending()
        for index in units.indices { units[index].isOversize = true }
        (pending, pendingTime, isRemainder) = (tail, time, true)
        return units
    }
}
