import Testing

@testable import Rendering

struct ByteCountTests {
    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_999, "999.9 kB"), (1_234_567, "1.2 MB"),
        (Int64.max, "9.2 EB"),
    ])
    func `byte counts have the unit that leaves one to three digits`(bytes: Int64, text: String) {
        #expect(ByteCount(bytes).description == text)
    }
}
