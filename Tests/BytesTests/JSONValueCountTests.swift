import Bytes
import Testing

struct JSONValueCountTests {
    @Test(arguments: [
        (#"1"#, 1), (#"[1,2]"#, 3), (#"{"a":[1,2],"b":{}}"#, 6), (#""a,b,[""#, 1), (#"["\",[{,",2]"#, 3), (#""\"#, 1),
        (#"[[["#, 4), (#","#, 2),
    ])
    func `values are counted outside strings`(json: String, count: Int) {
        #expect(!JSONValueCount.exceeds(count, in: Array(json.utf8)[...]))
        #expect(JSONValueCount.exceeds(count - 1, in: Array(json.utf8)[...]))
    }
}
