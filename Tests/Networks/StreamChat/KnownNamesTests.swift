import TestSupport
import Testing

@testable import StreamChatWire

struct KnownNamesTests {
    @Test func `the least recently seen name is forgotten first`() {
        var names = KnownNames(["a", "b", "c"], capacity: 3)
        names.recordUse(of: Array("a")[...])
        names.recordUse(of: Array("d")[...])
        #expect(names.count == 3)
        #expect(["a", "b", "c", "d"].map { names.contains(Array($0)[...]) } == [true, false, true, true])
    }

    @Test(arguments: ["", "a::b", "a:", String(repeating: "a", count: 257)])
    func `impossible names and long ones are not kept`(name: String) {
        #expect(KnownNames([name]).count == 0)
    }

    @Test func `a name at the end is found after any text`() {
        let names = KnownNames(["bob", "김민수", ":x"])
        for text in ["bob", "hibob", "한국김민수", "a:x", String(repeating: "b", count: 1000) + "bob"] {
            #expect(names.endName(Array(text)[...]))
        }
        for text in ["", "bo", "bobb", "민수"] { #expect(!names.endName(Array(text)[...])) }
    }

    @Test func `memory is limited, whatever names are seen`() {
        var names = KnownNames(capacity: 100)
        var random = SeededGenerator(seed: 1)
        for _ in 0..<100_000 {
            names.recordUse(of: Array(String(UInt16.random(in: .min ... .max, using: &random)))[...])
        }
        #expect(names.count == 100)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<20 as Range<UInt64>)
    func `the names agree with a linear search`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var names = KnownNames(capacity: 8)
        var list: [[UInt8]] = []
        for _ in 0..<2000 {
            let length = Int.random(in: 1...4, using: &random)
            let name = (0..<length).map { _ in UInt8.random(in: 97...99, using: &random) }
            names.recordUse(of: name[...])
            list.removeAll { $0 == name }
            list.append(name)
            if list.count > 8 { list.removeFirst() }
            let probe = (0..<6).map { _ in UInt8.random(in: 97...99, using: &random) }
            #expect(names.endName(probe[...]) == list.contains { probe.suffix($0.count).elementsEqual($0) })
            #expect(names.contains(probe.prefix(3)) == list.contains { probe.prefix(3).elementsEqual($0) })
        }
    }
}
