import Archive
import ChatModel
import Files
import Foundation
import Operations
import Testing

@testable import ChatClient
@testable import Demonstration
@testable import Exporting
@testable import Importing
@testable import Rendering
@testable import Scrollback
@testable import Settings

struct ErrorPageTests {
    private static let names = Set(
        ArchiveError.Code.allCases.map(\.rawValue) + ChatErrorCode.allCases.map(\.rawValue)
            + CommandErrorCode.allCases.map(\.rawValue) + DemoErrorCode.allCases.map(\.rawValue)
            + ExportErrorCode.allCases.map(\.rawValue) + ImportErrorCode.allCases.map(\.rawValue)
            + OperationErrorCode.allCases.map(\.rawValue) + OutputErrorCode.allCases.map(\.rawValue)
            + ServiceErrorCode.allCases.map(\.rawValue)
            + [ConfigurationError(path: "", problems: []).codeName]
    ).sorted()

    @Test func `every error has a page, and every page an error`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/errors")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "README.md" }
        #expect(files.sorted() == Self.names.map { $0 + ".md" })
        let index = try document("docs/errors/README.md")
        #expect(index.matches(of: /\n\| \[`([a-z-]+)`\]/).map { String($0.1) } == Self.names)
    }

    @Test(arguments: names)
    func `a page shows the error, its meaning and what to do`(name: String) throws {
        let text = try document("docs/errors/\(name).md")
        #expect(text.hasPrefix("# \(name)\n"))
        #expect(text.contains("[\(name)]\n```\n"))
        #expect(text.contains("## What it means\n") && text.contains("## What to do\n\n- "))
    }

    @Test func `one page gives the descriptors per account file, and the others link to it`() throws {
        #expect(
            try document("docs/errors/open-files.md").contains("| \(Archive.descriptorsPerFile) × `open_connections`"))
        for page in ["docs/errors/too-many-open.md", "docs/configuration.md"] {
            let text = try document(page)
            #expect(text.contains("open-files.md#what-it-means") && !text.contains(/(three|four|[0-9]) descriptors/))
        }
    }

    @Test func `a page has the name of the error in machine formats`() {
        #expect(SkippedAccount.cold == ArchiveError.Code.cold.rawValue)
    }

    @Test func `skipped accounts are reported on a line with advice`() {
        func lines(_ names: [String], takesCold: Bool = true) -> [String] {
            SkippedAccountsText.lines(
                names.map { SkippedAccount(account: $0, reason: "cold", detail: "") }, takesCold: takesCold)
        }
        #expect(lines([]) == [])
        #expect(lines(["old"]) == ["skipped 'old' (compressed); add --cold to include it"])
        #expect(
            lines(["a", "b", "c", "\u{1B}d"]) == [
                "skipped 4 compressed accounts ('a', 'b', 'c', …); add --cold to include them"
            ])
        #expect(
            lines(["my old"], takesCold: false) == [
                "skipped 'my old' (compressed); to include it: scrollback archive restore 'my old'"
            ])
        #expect(
            lines(["a", "b"], takesCold: false)[0].hasSuffix("to include them: scrollback archive restore ACCOUNT"))
        let damaged = ["x\u{1B}", nil].map { name in
            SkippedAccount(account: name, reason: "corrupt", detail: "1.sqlite is\u{1B} damaged")
        }
        #expect(
            SkippedAccountsText.lines(damaged, takesCold: true) == [
                "skipped 'x\\u{1B}': 1.sqlite is\\u{1B} damaged", "skipped an account: 1.sqlite is\\u{1B} damaged",
            ])
    }

    @Test func `the page's name is shown with the error`() throws {
        let error = OperationError(.badTime, "\"soon\" is no time", hint: "give a cursor")
        #expect(FailureText.sentence(for: error) == "\"soon\" is no time; give a cursor [bad-time]")
        let locked = ArchiveError(code: .locked, detail: "it is written")
        #expect(
            FailureText.sentence(for: locked)
                == "it is written; stop the other process or wait until it ends [locked]")
    }
}
