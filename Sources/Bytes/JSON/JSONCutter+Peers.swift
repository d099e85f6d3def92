/// The JSON of peers.
extension JSONCutter {
    /// Returns true if the byte may follow in JSON of the expected form.
    func isExpected(_ byte: UInt8) -> Bool {
        switch state {
        case .colon: return byte == Byte.colon
        case .value: return ValueScan.canBegin(with: byte)
        case .key, .between: break
        }
        guard let frame = frames.last else {
            let root = places.nodes[JSONPlaces.root]
            return last == .start
                && (byte == Byte.objectStart && root.hasKeys || byte == Byte.listStart && root.element != nil)
        }
        return switch byte {
        case Byte.comma: last == .value
        case Byte.objectEnd, Byte.listEnd: last != .comma && frame.isObject == (byte == Byte.objectEnd)
        default: last != .value && (frame.isObject ? byte == Byte.quote : ValueScan.canBegin(with: byte))
        }
    }

    mutating func fail(_ byte: UInt8, _ rest: ArraySlice<UInt8>) {
        let shown = String(byte, radix: 16, uppercase: true)
        let place = "byte \(origin + rest.startIndex) of the answer is 0x\(byte < 16 ? "0" : "")\(shown)"
        fault = Fault(isTooLong: false, detail: "\(place), not \(expected)")
    }

    /// The tokens that may follow, in words.
    private var expected: String {
        switch state {
        case .key: return "a key that can be read"
        case .colon: return "a :"
        case .value: return "a value"
        case .between: break
        }
        guard let frame = frames.last else {
            let root = places.nodes[JSONPlaces.root]
            let starts = [root.element == nil ? nil : "[", root.hasKeys ? "{" : nil].compactMap(\.self)
            return last == .start ? "a " + starts.joined(separator: " or ") : "nothing"
        }
        return switch (last, frame.isObject) {
        case (.start, true): "a key or }"
        case (.start, false): "an element or ]"
        case (.comma, true): "a key"
        case (.comma, false): "an element"
        case (.value, true): "a , or }"
        case (.value, false): "a , or ]"
        }
    }

    mutating func countAround(_ count: Int) {
        guard !repairs, frames.last?.isObject == true else { return }
        around += count
        guard around > maximumAround, fault == nil else { return }
        fault = Fault(isTooLong: true, detail: "more than \(maximumAround) bytes surround the list")
    }
}

extension JSONPlaces.Node {
    var hasKeys: Bool { !keys.isEmpty || others != nil }
}
