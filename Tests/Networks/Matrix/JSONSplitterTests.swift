import Foundation
import TestSupport
import Testing

@testable import MatrixWire

/// Values are cut out of a document wherever its bytes are split, and nothing in it traps.
struct JSONSplitterTests {
    private static let places = JSONSplitter.Places.members([
        "next": .value(limit: 100),
        "rooms": .members(
            [
                "join": .members(
                    [:], others: .members(["events": .elements(.value(limit: 60)), "name": .value(limit: 9)]))
            ]),
    ])

    private func pieces(_ parts: [[UInt8]]) throws -> (pieces: [JSONSplitter.Piece], isComplete: Bool) {
        var splitter = JSONSplitter(Self.places)
        var found: [JSONSplitter.Piece] = []
        for part in parts { found += try splitter.splitPieces(part) }
        return (found, splitter.isComplete)
    }

    private static let document = #"""
         {"other": {"next": [1, {"a": "}"}]}, "rooms": {"leave": {"x": {"events": [1]}}, "join": {
          "!a:x" : {"name": "n", "events": [ {"a": "\"]}"}, 3, [], "말"], "z": "\\"}, "!b\u00e9": {"events": {"no": 1}},
          "!c": {"events": [], "name": "too long for it"}, "!d": 7 } }, "next": "s1_2", "last": null }
        """#

    @Test func `values have the keys on their path, at every split`() throws {
        let bytes = Array(Self.document.utf8)
        func text(_ pieces: [JSONSplitter.Piece]) -> [String] {
            pieces.map { piece in
                "\(piece.path.joined(separator: "/"))=\(piece.bytes.map { String(decoding: $0, as: UTF8.self) } ?? "-\(piece.length)")"
            }
        }
        let expected = [
            "rooms/join/!a:x/name=\"n\"", "rooms/join/!a:x/events={\"a\": \"\\\"]}\"}", "rooms/join/!a:x/events=3",
            "rooms/join/!a:x/events=[]", "rooms/join/!a:x/events=\"말\"", "rooms/join/!c/name=-17", "next=\"s1_2\"",
        ]
        for place in 0...bytes.count {
            let (found, isComplete) = try pieces([Array(bytes[..<place]), Array(bytes[place...])])
            #expect(text(found) == expected && isComplete, "split at \(place)")
        }
        let (single, _) = try pieces(bytes.map { [$0] })
        #expect(text(single) == expected)
    }

    @Test func `an escape in a key is read`() throws {
        let (found, _) = try pieces([Array(#"{"n\u0065xt": 1}"#.utf8)])
        #expect(found.map(\.path) == [["next"]])
    }

    @Test(arguments: [
        "]", "{]", "{\"a\" 1}", "{\"a\": 1,, }", "{\"rooms\": {\"join\": [}}", "{} {}", "{\"a\": 1} x", "nope{",
        "{\"a\": }",
        "{\"" + String(repeating: "k", count: 2000) + "\": 1}", "{" + String(repeating: " ", count: 70_000) + "}",
    ])
    func `malformed bytes are an error or leave the document incomplete`(text: String) {
        do {
            #expect(try !pieces([Array(text.utf8)]).isComplete, "\(text.prefix(30))")
        } catch {
            #expect(error is MatrixFormError)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `random changes never trap, and memory stays bounded`() throws {
        var random = SeededGenerator(seed: 11)
        let bytes = Array(Self.document.utf8)
        for _ in 0..<5000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let place = Int.random(in: changed.indices, using: &random)
                if Bool.random(using: &random) {
                    changed[place] = UInt8.random(in: 0...255, using: &random)
                } else {
                    changed.removeSubrange(place..<min(place + Int.random(in: 0..<9, using: &random), changed.count))
                }
            }
            _ = try? pieces([changed])
        }
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        let (found, isComplete) = try pieces([Array("{\"next\": ".utf8), deep])
        #expect(found.isEmpty && !isComplete)
    }
}
