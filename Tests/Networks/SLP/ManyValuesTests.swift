import Testing

@testable import SLPWire

/// An element may have a megabyte; what it takes while it is read is limited by how many values it has.
struct ManyValuesTests {
    private func chat(files: Int) -> [UInt8] {
        let files = (0..<files).map { #""/\#($0)""# }.joined(separator: ",")
        return Array(#"{"chat_id":1,"createdAt":"2026-01-01T00:00:00Z","files":[\#(files)]}"#.utf8)
    }

    @Test func `a message with a thousand files is read`() {
        #expect(DecodedElement<SLPChat>(chat(files: 1000)).value?.files.count == 1000)
    }

    @Test func `a message with a hundred thousand files is kept as received`() {
        let json = chat(files: 100_000)
        let element = DecodedElement<SLPChat>(json)
        #expect(element == .malformed(raw: json, detail: "it has more than 2000 values"))
    }
}
