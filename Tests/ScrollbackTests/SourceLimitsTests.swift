import Foundation
import TestSupport
import Testing

/// The limits of files, functions and types of `Sources`, which `swift format` does not know.
struct SourceLimitsTests {
    /// The body of a declaration, with the number of lines from its first one to that of the closing brace.
    private struct Body {
        let name: String
        let indent: Int
        let count: Int
    }

    /// Returns the bodies of the declarations of a pattern, whose first capture is the name. Every brace that ends one is
    /// alone in a line that is indented as the declaration is.
    private static func bodies(_ lines: [Substring], _ pattern: Regex<(Substring, Substring)>) -> [Body] {
        var (open, found): ([Int: (name: Substring, line: Int)], [Body]) = ([:], [])
        for (number, line) in lines.enumerated() {
            let indent = line.prefix { $0 == " " }.count
            let code = line.dropFirst(indent)
            if code == "}" {
                if let (name, line) = open[indent] {
                    found.append(Body(name: String(name), indent: indent, count: number - line + 1))
                }
                open = open.filter { $0.key < indent }
            } else if let name = code.prefixMatch(of: pattern)?.1 {
                // A declaration without a body ends where the next one begins.
                open[indent] = code.last == "}" ? nil : (name, number)
            } else if code.hasPrefix(")"), code.last == "}" {
                open[indent] = nil
            }
        }
        return found
    }

    private static func eachFile(_ body: (_ path: String, _ lines: [Substring]) throws -> Void) throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
        let all = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        for case let file as URL in all where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            try body(String(file.path.dropFirst(sources.path.count + 1)), lines)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a file has at most 300 lines, and a function 40`() throws {
        let function = /(?:@\w+ |\w+(?:\(\w+\))? )*?(func [^(<]+|init)[(<?]/
        try Self.eachFile { path, lines in
            // A text ends with a line break.
            #expect(lines.count - 1 <= 300, "\(path)")
            for body in Self.bodies(lines, function) { #expect(body.count <= 40, "\(path): \(body.name)") }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a type has at most 500 lines with its extensions`() throws {
        let type = /(?:@\w+ |\w+ )*?(?:struct|class|enum|actor|protocol|extension) ([\w.]+)/
        var counts: [String: Int] = [:]
        try Self.eachFile { path, lines in
            let places = path.split(separator: "/")
            let target = places.prefix(places[0] == "Networks" ? 2 : 1).joined(separator: "/")
            for body in Self.bodies(lines, type) where body.indent == 0 {
                counts["\(target) \(body.name)", default: 0] += body.count
            }
        }
        #expect(counts.filter { $0.value > 500 }.isEmpty)
    }
}
