import Foundation
import TestSupport
import Testing

@testable import Rendering

struct HTMLStyleTests {
    @Test(.enabled(if: Tool.find("sha256sum") != nil, "needs sha256sum"))
    func `the pages' policy allows the style sheet as it is`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder + "/sheet.css"
            try Data(HTMLStyle.sheet.utf8).write(to: URL(fileURLWithPath: file))
            let output = try #require(try await Tool.find("sha256sum")?.run([file])).output
            let hash = try #require(Data(base64Encoded: String(HTMLStyle.hash.dropFirst("sha256-".count))))
            let hexadecimal = hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(output.hasPrefix(hexadecimal + " "))
        }
    }

    @Test func `the style sheet asks for nothing and cannot end early`() {
        #expect(
            !HTMLStyle.sheet.contains("</") && !HTMLStyle.sheet.contains("url(") && !HTMLStyle.sheet.contains("@import")
        )
    }
}
