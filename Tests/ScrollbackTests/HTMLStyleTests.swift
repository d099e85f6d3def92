import Foundation
import TestSupport
import Testing

@testable import Rendering

struct HTMLStyleTests {
    @Test(
        .enabled(if: Tool.find("sha256sum") != nil, "needs sha256sum"),
        arguments: [(HTMLStyle.sheet, HTMLStyle.hash), (HTMLStyle.media, HTMLStyle.mediaHash)])
    func `the pages' policy has the hash of each style sheet`(sheet: String, sum: String) async throws {
        try await withTemporaryFolder { folder in
            let file = folder + "/sheet.css"
            try Data(sheet.utf8).write(to: URL(fileURLWithPath: file))
            let output = try #require(try await Tool.find("sha256sum")?.run([file])).output
            let hash = try #require(Data(base64Encoded: String(sum.dropFirst("sha256-".count))))
            let hexadecimal = hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(output.hasPrefix(hexadecimal + " "))
        }
    }

    @Test(arguments: [HTMLStyle.sheet, HTMLStyle.media])
    func `a style sheet loads nothing and can't end early`(sheet: String) {
        #expect(!sheet.contains("</") && !sheet.contains("url(") && !sheet.contains("@import"))
    }
}
