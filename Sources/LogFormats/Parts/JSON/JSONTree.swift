import Bytes
import ChatModel

/// The values of a piece of JSON, in the order of their first bytes. Texts are decoded when they are read.
///
/// Also reads control characters in texts, which exports write although RFC 8259 forbids them.
final class JSONTree {
    enum Kind: UInt8 {
        case object, list, number, `true`, `false`, null
        case text
        /// A text with a backslash in it.
        case escapedText
    }

    /// A value, or the key of the value after it. An object's or list's own values follow it.
    struct Node {
        var kind: Kind
        /// The positions of the value's bytes; a text's quotes are outside.
        var start, end: UInt32
        /// The position of the node after this value and all values within.
        var next: UInt32
    }

    let bytes: ArraySlice<UInt8>
    private(set) var nodes: [Node] = []
    /// The faults of the texts that were read so far.
    private(set) var flags: MessageFlags = []

    /// The limit of values. The densest real message is one of DiscordChatExporter's with many reactions: eight values
    /// in about 400 bytes for each user who reacted, so 84,000 in 4 MiB.
    static let maximumValues = 100_000
    /// The limit of objects and lists within each other. No known export exceeds ten.
    private static let maximumDepth = 512

    /// - Throws: ``UnreadablePiece`` for anything but one JSON value, and for more than ``maximumValues``.
    init(_ bytes: ArraySlice<UInt8>) throws(UnreadablePiece) {
        self.bytes = bytes
        var parser = Parser(bytes.count)
        let fault = bytes.withUnsafeBufferPointer { parser.parse($0) }
        if let fault { throw fault }
        nodes = parser.nodes
    }

    /// Returns a text or a key.
    func text(_ node: Node) -> String {
        let source = bytes[(bytes.startIndex + Int(node.start))..<(bytes.startIndex + Int(node.end))]
        guard node.kind == .escapedText else { return decoded(source) }
        let unescaped = JSONUnescaping(source)
        if unescaped.hasHalves { flags.insert(.invalidUTF8) }
        return decoded(unescaped.bytes[...])
    }

    private func decoded(_ source: ArraySlice<UInt8>) -> String {
        if let valid = String(validating: source, as: UTF8.self) { return valid }
        flags.insert(.invalidUTF8)
        return String(decoding: source, as: UTF8.self)
    }

    /// Returns true for an object or a list that is not empty.
    func hasElements(_ node: Node) -> Bool {
        bytes[(bytes.startIndex + Int(node.start) + 1)..<(bytes.startIndex + Int(node.end) - 1)]
            .contains { !Byte.isJSONSpace($0) }
    }

    /// Returns true for the key with this name.
    func isKey(_ node: Node, _ name: StaticString) -> Bool {
        guard node.kind == .text else { return text(node) == name.description }
        let count = Int(node.end - node.start)
        guard count == name.utf8CodeUnitCount else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            name.withUTF8Buffer { name in
                var index = 0
                while index < count, bytes[Int(node.start) + index] == name[index] { index += 1 }
                return index == count
            }
        }
    }

    /// Returns the path to a value, such as `reactions[0].count`; empty for the whole piece.
    func path(to wanted: Int) -> String {
        var (path, node) = ("", 0)
        while node != wanted {
            let isObject = nodes[node].kind == .object
            var (child, index) = (node + 1, 0)
            // The last value that begins at or before the wanted one.
            while child < Int(nodes[node].next) {
                let value = isObject ? child + 1 : child
                guard value < nodes.count, wanted >= Int(nodes[value].next) else { break }
                (child, index) = (Int(nodes[value].next), index + 1)
            }
            guard child < Int(nodes[node].next) else { break }
            path += isObject ? (path.isEmpty ? "" : ".") + text(nodes[child]) : "[\(index)]"
            node = isObject ? child + 1 : child
        }
        return path
    }
}

extension JSONTree {
    /// Finds the values of a piece, without recursion.
    fileprivate struct Parser {
        private enum Expected {
            case value, valueOrEnd, key, keyOrEnd, commaOrEnd, nothing
        }

        private(set) var nodes: [Node] = []
        /// The open objects and lists, the innermost last.
        private var open: [Int] = []
        private var values = 0
        private var expected = Expected.value
        private var index = 0

        init(_ count: Int) {
            nodes.reserveCapacity(min(count / 12 + 4, 64))
        }

        /// Returns the fault; nil for one whole value.
        mutating func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> UnreadablePiece? {
            guard bytes.count < UInt32.max else { return UnreadablePiece("too long") }
            while true {
                while index < bytes.count, Byte.isJSONSpace(bytes[index]) { index &+= 1 }
                guard index < bytes.count else { break }
                guard step(bytes[index], bytes) else { return .noJSON }
                guard values <= maximumValues else {
                    return UnreadablePiece("more than \(maximumValues) values")
                }
            }
            return expected == .nothing ? nil : .noJSON
        }

        /// Handles the token at the index. Returns false if no token may begin there.
        private mutating func step(_ byte: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            switch (byte, expected) {
            case (Byte.quote, .key), (Byte.quote, .keyOrEnd): return takeText(bytes) && takeColon(bytes)
            case (Byte.quote, .value), (Byte.quote, .valueOrEnd):
                values &+= 1
                guard takeText(bytes) else { return false }
                endValue()
            case (Byte.objectStart, .value), (Byte.objectStart, .valueOrEnd): return begin(.object)
            case (Byte.listStart, .value), (Byte.listStart, .valueOrEnd): return begin(.list)
            case (Byte.comma, .commaOrEnd):
                index &+= 1
                expected = isInObject ? .key : .value
            case (Byte.objectEnd, .keyOrEnd), (Byte.objectEnd, .commaOrEnd): return end(isObject: true)
            case (Byte.listEnd, .valueOrEnd), (Byte.listEnd, .commaOrEnd): return end(isObject: false)
            case (_, .value), (_, .valueOrEnd): return takeScalar(bytes)
            default: return false
            }
            return true
        }

        private var isInObject: Bool { open.last.map { nodes[$0].kind == .object } ?? false }

        private mutating func add(_ kind: Kind, from start: Int, to end: Int) {
            nodes.append(
                Node(kind: kind, start: UInt32(start), end: UInt32(end), next: UInt32(nodes.count &+ 1)))
        }

        private mutating func begin(_ kind: Kind) -> Bool {
            guard open.count < maximumDepth else { return false }
            open.append(nodes.count)
            add(kind, from: index, to: index)
            values &+= 1
            expected = kind == .object ? .keyOrEnd : .valueOrEnd
            index &+= 1
            return true
        }

        private mutating func end(isObject: Bool) -> Bool {
            guard isInObject == isObject, let last = open.popLast() else { return false }
            index &+= 1
            nodes[last].end = UInt32(index)
            nodes[last].next = UInt32(nodes.count)
            endValue()
            return true
        }

        private mutating func endValue() {
            expected = open.isEmpty ? .nothing : .commaOrEnd
        }

        private mutating func takeText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            let start = index &+ 1
            var (end, kind) = (start, Kind.text)
            while true {
                end = ByteSearch.firstIndex(of: Byte.quote, or: Byte.backslash, or: Byte.quote, in: bytes, from: end)
                guard end < bytes.count else { return false }
                if bytes[end] == Byte.quote { break }
                guard let escape = JSONUnescaping.length(of: bytes, at: end) else { return false }
                kind = .escapedText
                end = end &+ escape
            }
            add(kind, from: start, to: end)
            index = end &+ 1
            return true
        }

        private mutating func takeColon(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            while index < bytes.count, Byte.isJSONSpace(bytes[index]) { index &+= 1 }
            guard index < bytes.count, bytes[index] == Byte.colon else { return false }
            index &+= 1
            expected = .value
            return true
        }

        private mutating func takeScalar(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            var end = index
            while end < bytes.count, Byte.isJSONScalar(bytes[end]) { end &+= 1 }
            let word = UnsafeBufferPointer(rebasing: bytes[index..<end])
            let kind: Kind
            switch word.first {
            case UInt8(ascii: "t") where word.elementsEqual("true".utf8): kind = .true
            case UInt8(ascii: "f") where word.elementsEqual("false".utf8): kind = .false
            case UInt8(ascii: "n") where word.elementsEqual("null".utf8): kind = .null
            case _ where JSONNumber.isValid(word): kind = .number
            default: return false
            }
            values &+= 1
            add(kind, from: index, to: end)
            index = end
            endValue()
            return true
        }
    }
}

/// Numbers by the grammar of RFC 8259 §6.
private enum JSONNumber {
    static func isValid(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = word.first == Byte.dash ? 1 : 0
        let first = index
        guard digits(word, &index), index == first + 1 || word[first] != Byte.zero else { return false }
        if index < word.count, word[index] == Byte.dot {
            index += 1
            guard digits(word, &index) else { return false }
        }
        if index < word.count, word[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < word.count, word[index] == Byte.plus || word[index] == Byte.dash { index += 1 }
            guard digits(word, &index) else { return false }
        }
        return index == word.count
    }

    /// Skips digits. Returns false if there is none.
    private static func digits(_ word: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
        let start = index
        while index < word.count, Byte.isDigit(word[index]) { index += 1 }
        return index > start
    }
}
