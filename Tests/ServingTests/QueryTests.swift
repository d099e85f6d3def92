import Operations
import TestSupport
import Testing

@testable import Serving

struct QueryTests {
    @Test func `names and values are decoded like forms`() throws {
        let items = try Query.items("q=a+b%2Bc&room=%23%EA%B0%80%EC%A1%B1&flag&empty=&q=2")
        #expect(items.map(\.name) == ["q", "room", "flag", "empty", "q"])
        #expect(items.map(\.value) == ["a b+c", "#가족", "", "", "2"])
    }

    @Test(arguments: ["a=%", "a=%2", "a=%zz", "a=%ff", "%c3%28=1", "a=%00"])
    func `invalid text is refused`(query: String) {
        #expect(throws: UsageError.self) { try Query.items(query) }
    }

    @Test func `a value in an address is read back unchanged`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let scalars = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 1...0x2_FFFF, using: &random))
            }
            let text = String(String.UnicodeScalarView(scalars))
            let items = try Query.items(String(Query.text([("n", text)]).dropFirst()))
            #expect(items.first.map { Array($0.value.utf8) } == Array(text.utf8))
        }
    }
}
