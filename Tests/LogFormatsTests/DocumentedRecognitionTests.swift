import Foundation
import TestSupport
import Testing

@testable import LogFormats

/// The tables of `docs/import.md` that say which format claims which sample, and what is not supported. `make docs`
/// writes them.
struct DocumentedRecognitionTests {
    private static let isWriting = ProcessInfo.processInfo.environment["SCROLLBACK_WRITE_DOCS"] != nil
    // A checkout may be linked.
    private static let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../../docs/import.md")

    private func expect(_ table: String, in section: String) throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let begin = "<!-- \(section): written by make docs -->\n"
        let start = try #require(text.range(of: begin)).upperBound
        let stop = try #require(text.range(of: "<!-- end of \(section) -->")).lowerBound
        let whole = text[..<start] + table + text[stop...]
        if Self.isWriting { try String(whole).write(to: Self.file, atomically: true, encoding: .utf8) }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == whole, "\"make docs\" writes it anew")
    }

    @Test func `the documentation has the formats that claim each sample`() throws {
        // The rows that an import makes of a database are no file.
        let formats = KnownLogFormats.all.filter { !($0 is any DatabaseFormat.Type) }
        let rows = formats.flatMap { FormatSample.of($0.name) }.map { sample in
            let source = LogReading.source(sample.bytes, path: sample.path)
            let claims = Recognition.claims(on: source).map { "`\($0.name)`" }
            return "| `\(sample.path)` | \(sample.shown) | \(claims.joined(separator: ", ")) |\n"
        }
        try expect("| file | begins with | claimed by |\n| --- | --- | --- |\n" + rows.joined(), in: "recognition")
    }

    @Test func `the documentation has the formats with their programs`() throws {
        let rows = KnownLogFormats.all.map { "| `\($0.name)` | \($0.programs) |\n" }
        try expect("| format | programs |\n| --- | --- |\n" + rows.joined(), in: "formats")
    }

    @Test func `the documentation has the kinds that no format reads`() throws {
        let rows = UnsupportedKind.all.map { "| \($0.noun) | \($0.advice) |\n" }
        try expect("| kind | what to do |\n| --- | --- |\n" + rows.joined(), in: "unsupported")
    }
}

extension FormatSample {
    /// The first lines as a cell of a table.
    fileprivate var shown: String {
        guard let text = String(validating: bytes, as: UTF8.self) else { return "bytes" }
        let marks: Set<Unicode.Scalar> = ["\u{FEFF}", "\u{200E}"]
        var line = String(String.UnicodeScalarView(text.unicodeScalars.filter { !marks.contains($0) }))
        line = line.split(whereSeparator: \.isNewline).prefix(2).joined(separator: "⏎")
        line = line.replacing("\t", with: "⇥").replacing("|", with: "\\|")
        return "`\(line.count > 60 ? line.prefix(60) + "…" : line)`"
    }
}
