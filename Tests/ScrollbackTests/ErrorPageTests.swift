import Archive
import Foundation
import Testing

@testable import Scrollback

struct ErrorPageTests {
    private static let names = ErrorPage.allCases.map(\.rawValue).sorted()

    @Test func `every error has its page, and every page its error`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/errors")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "README.md" }
        #expect(files.sorted() == Self.names.map { $0 + ".md" })
        let index = try document("docs/errors/README.md")
        #expect(index.matches(of: /\n\| \[`([a-z-]+)`\]/).map { String($0.1) } == Self.names)
    }

    @Test(arguments: names)
    func `a page shows the error, says what it means and what to do`(name: String) throws {
        let text = try document("docs/errors/\(name).md")
        #expect(text.hasPrefix("# \(name)\n"))
        #expect(text.contains("[\(name)]\n```\n"))
        #expect(text.contains("## What it means\n") && text.contains("## What to do\n\n- "))
    }

    @Test func `a person is told the page's name with the error`() throws {
        let error = CommandError(.badTime, "\"soon\" is no time", hint: "give a cursor")
        #expect(FailureText.sentence(for: error) == "\"soon\" is no time; give a cursor [bad-time]")
        let locked = ArchiveError(code: .locked, detail: "it is written")
        #expect(FailureText.sentence(for: locked) == "it is written; stop the other process, or wait for it [locked]")
    }
}
