import Foundation
import Testing

/// The libraries of the two programs.
extension ArchitectureTests {
    @Test func `scrollback depends on no network library, and scrollback-server does`() throws {
        func libraries(of program: String) throws -> Set<String> {
            let pattern = try Regex(Self.libraries)
            let contents = try Self.contents(of: program)
            let modules = try Self.modules.get().filter { contents.contains($0.key) }.flatMap(\.value)
            return Set(modules.filter { $0.wholeMatch(of: pattern) != nil })
        }
        #expect(try libraries(of: "ScrollbackProgram") == [])
        #expect(try libraries(of: "ScrollbackServer").isSuperset(of: ["NIOSSL", "AsyncHTTPClient", "Hummingbird"]))
    }

    @Test func `scrollback needs FoundationEssentials at most`() throws {
        let files = try Self.contents(of: "ScrollbackProgram").flatMap(Self.files).filter {
            try String(contentsOf: $0, encoding: .utf8).contains(/(?:^|\n)(?:@\w+ |package )*import Foundation\n/)
        }
        #expect(files.map(\.lastPathComponent) == [])
    }

    /// Returns a program's target, and all targets on which it depends.
    static func contents(of program: String) throws -> Set<String> {
        let imports = Dictionary(uniqueKeysWithValues: try package().map { ($0.name, $0.common) })
        var (open, known): ([String], Set<String>) = ([program], [program])
        while let target = open.popLast() {
            open += try #require(imports[target], "\(target)").filter { known.insert($0).inserted }
        }
        return known
    }
}
