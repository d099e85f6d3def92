import Bytes

extension UnitFramer {
    /// Reads `lf`, `nul` and `end`, where a delimiter completes a unit.
    mutating func readDelimited(_ bytes: [UInt8], at time: Int64, known: KnownNames) -> [StreamUnit] {
        if pending.isEmpty { pendingTime = time }
        pending += bytes
        var units: [StreamUnit] = []
        var start = 0
        while true {
            if framing == .end, !isRemainder { start += padding(from: start) }
            let delimiter = nextDelimiter(unitStart: start, known)
            let end = delimiter?.lowerBound ?? pending.count - delimiterBegun
            let isOversize = end - start > limits.unitBytes
            guard isOversize || delimiter != nil else { break }
            let cut = isOversize ? capped(start) : end
            let next = isOversize ? cut : (delimiter?.upperBound ?? end)
            if let unit = unit(start..<cut, through: next, isOversize: isOversize) { units.append(unit) }
            (start, isRemainder, pendingTime) = (next, isOversize, time)
            scanned = isOversize ? end : next
        }
        parsed += start
        pending.removeFirst(start)
        // Searches the part of `::END` that may already be there again.
        let lookedAt = framing == .end ? pending.count - Token.end.count + 1 : pending.count
        scanned = max(0, lookedAt)
        return units
    }

    /// The number of bytes at the end of `pending` that may become `::END`.
    private var delimiterBegun: Int {
        guard framing == .end else { return 0 }
        return (1..<Token.end.count).reversed().first { pending.suffix($0).elementsEqual(Token.end.prefix($0)) } ?? 0
    }

    /// Returns the length of the padding between `::END` and the next unit: line ends or NUL.
    private func padding(from start: Int) -> Int {
        pending[start...].prefix(while: Byte.endsLine).count
    }

    private func unit(_ range: Range<Int>, through next: Int, isOversize: Bool) -> StreamUnit? {
        var bytes = Array(pending[range])
        if framing == .lf, !isOversize, bytes.last == Byte.carriageReturn { bytes.removeLast() }
        guard !bytes.isEmpty else { return nil }
        return StreamUnit(
            bytes: bytes, offset: parsed + range.lowerBound, end: parsed + next, time: pendingTime,
            isOversize: isOversize, isRemainder: isRemainder)
    }

    /// Returns the end of the longest unit that the limit allows, between code points if possible.
    private func capped(_ start: Int) -> Int {
        let full = pending[start..<start + limits.unitBytes]
        return full.endIndex - (full.incompleteTail < full.count ? full.incompleteTail : 0)
    }

    private func nextDelimiter(unitStart: Int, _ known: KnownNames) -> Range<Int>? {
        let from = max(scanned, unitStart)
        switch framing {
        case .chunk: return nil
        case .lf: return pending[from...].firstIndex(of: Byte.lineFeed).map { $0..<$0 + 1 }
        case .nul: return pending[from...].firstIndex(of: Byte.nul).map { $0..<$0 + 1 }
        case .end:
            var from = from
            while let colons = pending[...].firstSeparator(from: from) {
                if pending[...].has(Token.end, at: colons), !isPrefix(pending[unitStart..<colons], known) {
                    return colons..<colons + Token.end.count
                }
                from = colons + 1
            }
            return nil
        }
    }

    /// Returns true if the bytes are a prefix. `::END` ends a unit only after its prefix: the `::` of `alice::END` is
    /// the one after alice's name.
    private func isPrefix(_ bytes: ArraySlice<UInt8>, _ known: KnownNames) -> Bool {
        guard !isRemainder else { return false }
        return known.contains(bytes) || (bytes.last == Byte.colon && known.contains(bytes.dropLast()))
    }
}
