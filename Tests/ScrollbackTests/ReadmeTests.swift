import Foundation
import Testing

/// The README in English and in Korean, and the index of the documentation.
struct ReadmeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns the lines of code blocks.
    private static func commands(_ text: String) -> [Substring] {
        var isCode = false
        return text.split(separator: "\n").filter { line in
            if line.hasPrefix("```") { isCode.toggle() }
            return isCode && !line.hasPrefix("```")
        }
    }

    private static func links(_ text: String) -> [String] {
        let targets = text.matches(of: /\]\(([^)]+)\)|srcset="([^"]+)"|src="([^"]+)"/)
        return targets.compactMap { ($0.1 ?? $0.2 ?? $0.3).map(String.init) }
    }

    @Test(arguments: ["README.md", "README.ko.md"])
    func `a README has fewer than 100 lines`(path: String) throws {
        #expect(try Self.text(path).split(separator: "\n", omittingEmptySubsequences: false).count < 100)
    }

    @Test func `both READMEs have the same commands and the same links`() throws {
        let (english, korean) = (try Self.text("README.md"), try Self.text("README.ko.md"))
        #expect(Self.commands(english) == Self.commands(korean))
        #expect(!Self.commands(english).isEmpty)
        #expect(
            Self.links(english).filter { $0 != "README.ko.md" } == Self.links(korean).filter { $0 != "README.md" })
    }

    @Test(arguments: ["README.md", "README.ko.md", "docs/README.md"])
    func `every link to a file leads to an existing one`(path: String) throws {
        let folder = Self.root.appending(path: path).deletingLastPathComponent()
        for link in Self.links(try Self.text(path)) where !link.hasPrefix("https:") {
            let file = link.split(separator: "#")[0]
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: file).path), "\(path): \(link)")
        }
    }

    @Test func `the index of the documentation has every page`() throws {
        let links = Set(Self.links(try Self.text("docs/README.md")).map { String($0.split(separator: "#")[0]) })
        let files = FileManager.default.enumerator(atPath: Self.root.appending(path: "docs").path)
        let pages = files?.compactMap { $0 as? String }.filter { $0.hasSuffix(".md") && !$0.hasPrefix("errors/") } ?? []
        #expect(pages.count > 15)
        for page in pages where page != "README.md" { #expect(links.contains(page), "\(page)") }
    }
}
