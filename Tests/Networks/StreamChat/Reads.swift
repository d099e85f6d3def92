@testable import StreamChatWire

/// One read: what it brought and when, in microseconds.
typealias Read = (bytes: [UInt8], time: Int64)

extension Array<UInt8> {
    /// In two at every place.
    var splits: [[[UInt8]]] {
        indices.dropFirst().map { [Array(self[..<$0]), Array(self[$0...])] }
    }

    /// In pieces of `size`.
    func pieces(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }

    init(_ text: String) {
        self.init(text.utf8)
    }
}

/// What a connection that brings these pieces, 1 ms apart, says; it ends after the last.
func parse(
    _ pieces: [[UInt8]], _ framing: Framing = .chunk, known names: [String] = [], limits: UnitFramer.Limits = .init()
) -> [ParsedUnit] {
    parse(pieces.enumerated().map { ($1, Int64($0) * 1000) }, framing, known: names, limits: limits)
}

func parse(
    _ reads: [Read], _ framing: Framing = .chunk, known names: [String] = [], limits: UnitFramer.Limits = .init()
) -> [ParsedUnit] {
    var parser = StreamChatParser(framing, known: KnownNames(names), limits: limits)
    return reads.flatMap { parser.parseBytes($0.bytes, at: $0.time) } + parser.finish()
}

extension ParsedUnit {
    /// What it says and how, without its place.
    var said: Said { Said(content: content, flags: flags) }
}

struct Said: Hashable {
    var content: UnitContent
    var flags: UnitFlags = []
}
