import Bytes
import Testing

@Suite struct ByteSearchTests {
    @Test func `letters are found wherever a text has them, in capitals or not`() {
        let word = Array("bo0t".utf8)
        for before in 0..<20 {
            for after in 0..<20 {
                let text = String(repeating: "o", count: before) + "bO0T" + String(repeating: "b", count: after)
                let found = Array(text.utf8).withUnsafeBufferPointer { ByteSearch.hasLetters(word, in: $0) }
                #expect(found, "\(text)")
            }
        }
    }

    @Test(arguments: ["", "b", "boot", "bo0", "o0tb bo 0t", "b00t bo0 t", "[o0t bo0\u{7B}", "ｂｏ０ｔ ｂo0t"])
    func `letters that a text does not have together are not found`(text: String) {
        let found = Array(text.utf8).withUnsafeBufferPointer { ByteSearch.hasLetters(Array("bo0t".utf8), in: $0) }
        #expect(!found)
    }
}
