import Bytes
import Testing

struct PercentCodeTests {
    @Test(arguments: [
        ("azAZ09-._~", "azAZ09-._~"), ("!room:example.org", "%21room%3Aexample.org"),
        ("a b/c?d&e=f%", "a%20b%2Fc%3Fd%26e%3Df%25"),
        ("가\n\0", "%EA%B0%80%0A%00"), ("", ""),
    ])
    func `percent-encoding keeps only the unreserved characters`(text: String, code: String) {
        #expect(PercentCode.encode(text) == code)
    }
}
