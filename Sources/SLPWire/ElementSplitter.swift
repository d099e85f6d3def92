import Bytes

/// Cuts an answer of any size into the elements of its list. The list is the whole answer, or the value of a key in an
/// object.
///
/// Reads elements only to find their ends. Their decoder validates them, so that a bad element does not affect the
/// others. Memory is limited to one read and one element of the greatest length, and time is linear in the bytes, for
/// any input.
package struct ElementSplitter: Sendable {
    package struct Limits: Sendable, Hashable {
        /// The most bytes of one element: 1 MiB, far more than such a service allows for a message.
        package var elementBytes = 1 << 20
        /// The most bytes of an object around the list, without its elements; that of a direct history has about 100.
        package var envelopeBytes = 64 * 1024
        /// The number of bytes that are kept of an element that is too long, to identify it.
        package var keptBytes = 1024

        package init() {}
    }

    /// An element of the list, not validated.
    package enum Element: Sendable, Hashable {
        case whole([UInt8])
        /// An element longer than ``Limits/elementBytes``, with its beginning and its length.
        case tooLong(beginning: [UInt8], bytes: Int)
    }

    /// The part of the answer that comes next.
    private enum Place {
        case start
        /// In the object: after `{`, after `,`, in a key, after a key, before a value, in a skipped value, and after a
        /// value.
        case firstKey, key, inKey, colon, value, inValue, afterValue
        /// In the list: after `[`, after `,`, in an element, after it.
        case firstElement, element, inElement, afterElement
        case end
    }

    private let key: [UInt8]?
    private let limits: Limits
    private var place = Place.start
    private var failure: SplitError?
    /// The last read, and the index of its first unused byte.
    private var chunk: [UInt8] = []
    private var at = 0
    /// The number of bytes before the chunk.
    private var before = 0

    private var isInObject = false
    private var hasList = false
    private var envelopeBytes = 0
    /// The kept bytes of the present element or key, and its length.
    private var pending: [UInt8] = []
    private var length = 0
    private var scan = ValueScan(first: Byte.quote)

    /// - Parameter key: The key of the list in an answer that is an object; nil if the answer is a list.
    package init(key: String? = nil, limits: Limits = Limits()) {
        self.key = key.map { Array("\"\($0)\"".utf8) }
        self.limits = limits
    }

    /// True if the list and everything around it have ended; false for an incomplete answer.
    package var isComplete: Bool { place == .end && failure == nil }

    /// The bytes of memory that depend on the input.
    var held: Int { chunk.count + pending.capacity }

    /// Adds bytes, after the unused ones of the read before.
    package mutating func read(_ bytes: [UInt8]) {
        before += at
        chunk = at == chunk.count ? bytes : Array(chunk[at...]) + bytes
        at = 0
    }

    /// Returns the next complete element; nil if more bytes are needed.
    ///
    /// - Throws: ``SplitError`` for an answer of another shape, also at every later call.
    package mutating func next() throws(SplitError) -> Element? {
        if let failure { throw failure }
        do throws(SplitError) {
            while at < chunk.count {
                if let element = try step() { return element }
            }
            return nil
        } catch {
            failure = error
            throw error
        }
    }

    private mutating func step() throws(SplitError) -> Element? {
        if place == .inElement { return takeElement() }
        if place == .inKey || place == .inValue {
            try takeInEnvelope()
            return nil
        }
        let byte = chunk[at]
        if !Byte.isJSONSpace(byte) { try take(byte) }
        at += 1
        return nil
    }

    /// Takes a byte that isn't part of a value.
    private mutating func take(_ byte: UInt8) throws(SplitError) {
        if isInObject, place != .firstElement, place != .element, place != .afterElement { try countEnvelope(1) }
        switch (place, byte) {
        case (.start, Byte.listStart): place = .firstElement
        case (.start, Byte.objectStart) where key != nil: (place, isInObject) = (.firstKey, true)
        case (.firstKey, Byte.quote), (.key, Byte.quote): begin(.inKey, with: byte)
        case (.colon, Byte.colon): place = .value
        case (.value, Byte.listStart) where pending == key: (place, hasList) = (.firstElement, true)
        case (.value, _) where ValueScan.canBegin(with: byte):
            // Some servers send `null` for an empty list.
            if pending == key, byte == UInt8(ascii: "n") { hasList = true }
            begin(.inValue, with: byte)
        case (.afterValue, Byte.comma): place = .key
        case (.afterValue, Byte.objectEnd), (.firstKey, Byte.objectEnd): try endObject()
        case (.firstElement, Byte.listEnd), (.afterElement, Byte.listEnd):
            place = isInObject ? .afterValue : .end
        case (.firstElement, _) where ValueScan.canBegin(with: byte): begin(.inElement, with: byte)
        case (.element, _) where ValueScan.canBegin(with: byte): begin(.inElement, with: byte)
        case (.afterElement, Byte.comma): place = .element
        default: throw unexpected(byte)
        }
    }

    private mutating func begin(_ next: Place, with first: UInt8) {
        (place, scan) = (next, ValueScan(first: first))
        // The skipped value is not kept, and its key is no longer needed.
        (pending, length) = (next == .inValue ? [] : [first], 1)
    }

    private mutating func takeElement() -> Element? {
        let (end, isOver) = scan.end(in: chunk, from: at)
        length += end - at
        let kept = length > limits.elementBytes ? limits.keptBytes : limits.elementBytes
        if pending.count > kept { pending.removeLast(pending.count - kept) }
        pending += chunk[at..<end].prefix(kept - pending.count)
        at = end
        guard isOver else { return nil }
        place = .afterElement
        defer { pending = [] }
        return length > limits.elementBytes ? .tooLong(beginning: pending, bytes: length) : .whole(pending)
    }

    /// Takes the bytes of a key, or of a value that is skipped.
    private mutating func takeInEnvelope() throws(SplitError) {
        let (end, isOver) = scan.end(in: chunk, from: at)
        try countEnvelope(end - at)
        if place == .inKey { pending += chunk[at..<end] }
        at = end
        if isOver { place = place == .inKey ? .colon : .afterValue }
    }

    private mutating func countEnvelope(_ count: Int) throws(SplitError) {
        envelopeBytes += count
        guard envelopeBytes <= limits.envelopeBytes else {
            throw SplitError(
                code: .envelopeTooLong, detail: "more than \(limits.envelopeBytes) bytes surround the list")
        }
    }

    private mutating func endObject() throws(SplitError) {
        guard hasList else {
            throw SplitError(
                code: .noList, detail: "the answer is an object without \(String(decoding: key ?? [], as: UTF8.self))")
        }
        place = .end
    }

    private func unexpected(_ byte: UInt8) -> SplitError {
        let expected =
            switch place {
            case .start: key == nil ? "a [" : "a [ or {"
            case .firstKey: "a key or }"
            case .key: "a key"
            case .colon: "a :"
            case .afterValue: "a , or }"
            case .firstElement: "an element or ]"
            case .element: "an element"
            case .afterElement: "a , or ]"
            case .value: "a value"
            case .end, .inKey, .inValue, .inElement: "nothing"
            }
        let shown = String(byte, radix: 16, uppercase: true)
        return SplitError(
            code: .unexpectedByte,
            detail: "byte \(before + at) of the answer is 0x\(byte < 16 ? "0" : "")\(shown), not \(expected)")
    }
}
