import Bytes
import Foundation

@testable import LogFormats

extension FuzzTarget {
    /// JSON of exports and of servers.
    static let json = FuzzTarget("json") { input in
        try checkScan(input)
        let parts = Parts(input).parts
        for places in [["channel", "messages[]", "chats.list[]", "chats.list[].name"], ["[]"], ["messages[].files[]"]] {
            let whole = cut([input], places)
            try requireEqual(cut(parts, places), whole, "pieces of a split document")
            for piece in whole {
                try require(piece.bytes.count <= 100, "a piece of \(piece.bytes.count) bytes")
                if let value = try? LogFormats.JSONValue(piece, limit: 100) { _ = (value.text, value.flags) }
            }
        }
        _ = JSONValueCount.exceeds(5, in: input[...])
        try compareWithFoundation(input)
        if let tree = try? JSONTree(input[...]) {
            let again = try? JSONTree(tree.repaired[...])
            try require(again?.nodes.count == tree.nodes.count, "not repaired: \(tree.repaired.text)")
            try requireEqual(again?.repaired, tree.repaired, "a repaired piece")
        }
    }

    /// The end of a value does not depend on the parts in which it comes.
    private static func checkScan(_ input: [UInt8]) throws {
        guard let first = input.first, ValueScan.canBegin(with: first) else { return }
        for repairs in [false, true] {
            var (whole, split) = (ValueScan(first: first, repairs: repairs), ValueScan(first: first, repairs: repairs))
            let expected = whole.end(in: input.dropFirst())
            var (count, end) = (0, ValueScan.End.none)
            for part in Parts(Array(input.dropFirst())).parts where end == .none {
                let found = split.end(in: part[...])
                (count, end) = (count + found.count, found.end)
            }
            try require(expected == (count, end), "the value ends at \(count), not \(expected)")
        }
    }

    private static func cut(_ parts: [[UInt8]], _ places: [String]) -> [LogLine] {
        var (cutter, pieces) = (JSONPieceCutter(places: places, maximumPiece: 100), [LogLine]())
        for part in parts { cutter.cutLines(part[...]) { pieces.append($0) } }
        cutter.finish { pieces.append($0) }
        return pieces
    }

    /// A text that both parsers accept is the same text.
    private static func compareWithFoundation(_ input: [UInt8]) throws {
        guard let tree = try? JSONTree(input[...]), let root = tree.nodes.first else { return }
        for index in tree.nodes.indices { _ = tree.path(to: index) }
        guard [.text, .escapedText].contains(root.kind) else { return }
        let text = tree.text(root)
        guard tree.flags.isEmpty,
            let expected = try? JSONDecoder().decode(String.self, from: Data(input))
        else { return }
        try requireEqual(Array(text.utf8), Array(expected.utf8), "the text of \(input.text)")
        let quoted = input.drop(while: Byte.isJSONSpace).reversed().drop(while: Byte.isJSONSpace).reversed()
        try requireEqual(
            JSONText.string(quoted).map { Array($0.utf8) }, Array(expected.utf8), "the string \(input.text)")
    }
}
