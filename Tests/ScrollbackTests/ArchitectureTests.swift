import Foundation
import Testing

/// The plan of the targets in `docs/architecture.md`, against the package and its sources.
struct ArchitectureTests {
    private struct Target: Hashable {
        let name: String
        let imports: Set<String>
    }

    /// Our targets, C libraries and what only tests have left out.
    private static let leftOut: Set = [
        "CAssets", "CGlibc", "CMigrations", "CPCRE2", "CSQLite", "CZlib", "CZstd", "CrashPoint",
        "ScriptedSessions", "TestSupport", "Benchmarks", "CFuzzer", "Fuzz",
    ]

    /// The networks, each with the targets that the table calls `NETWORK` and `NETWORKWire`.
    private static func networkNames() throws -> [String] {
        let list = try #require(try document("Package.swift").firstMatch(of: /\nlet networks = \[([^\]]*)\]/)).1
        return list.matches(of: /"(\w+)"/).map { String($0.1) }
    }

    /// Returns names in which those of networks' targets are as in the table.
    private static func tabled(_ names: Set<String>) throws -> Set<String> {
        let networks = try networkNames()
        return Set(
            names.map { name in
                networks.contains(name) ? "NETWORK" : networks.contains { $0 + "Wire" == name } ? "NETWORKWire" : name
            })
    }

    private static func package() throws -> [Target] {
        let text = try document("Package.swift").replacing("\\(network)", with: "NETWORK")
        let found = text.matches(
            of: /\.(?:executableTarget|target)\(\s*name: "(\w+)"(?:,\s*(?:path: "[^"]*",|dependencies: \[([^\]]*)\]))?/)
        return found.map { match in
            let names = (match.2 ?? "").matches(of: /"(\w+)"/).map { String($0.1) }
            return Target(name: String(match.1), imports: Set(names).subtracting(leftOut))
        }.filter { !leftOut.contains($0.name) }
    }

    /// The rows of the table, the topmost target first.
    private static func documented() throws -> [Target] {
        try document("docs/architecture.md").matches(of: /\n\| `(\w+)` \| [^|]* \|([^|]*)\|/).map { match in
            Target(name: String(match.1), imports: Set(match.2.matches(of: /`(\w+)`/).map { String($0.1) }))
        }
    }

    @Test func `the documented imports of each target are those of the package`() throws {
        #expect(Set(try Self.documented()) == Set(try Self.package()))
    }

    @Test func `each target imports only targets that stand below it`() throws {
        var above: Set<String> = []
        for target in try Self.documented() {
            #expect(try Self.tabled(target.imports).isDisjoint(with: above), "\(target.name)")
            above.insert(target.name)
        }
    }

    @Test func `each target declares the targets that its files import`() throws {
        let targets = try Self.package()
        let names = Set(targets.map(\.name)).union(try Self.networkNames().flatMap { [$0, $0 + "Wire"] })
        for target in targets {
            var imported: Set<String> = []
            for file in try Self.files(of: target.name) {
                let text = try String(contentsOf: file, encoding: .utf8)
                imported.formUnion(
                    text.matches(of: /(?:^|\n)(?:@\w+ |package )*import (\w+)/).map { String($0.1) })
            }
            let found = imported.intersection(names)
            let isShared = target.name.hasPrefix("NETWORK")
            #expect(try isShared ? Self.tabled(found) == target.imports : found == target.imports, "\(target.name)")
        }
    }

    @Test func `no library knows an option of the command line or throws a command's error`() throws {
        let programs = ["Options", "Scrollback", "ScrollbackProgram", "ScrollbackServer", "ServerCommands"]
        for target in try Self.package() where !programs.contains(target.name) {
            for file in try Self.files(of: target.name) {
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(!text.contains("ValidationError") && !text.contains("CommandError"), "\(file.path)")
            }
        }
    }

    /// A text becomes HTML only in an interpolation, which escapes it.
    @Test func `only the type HTML writes entities or takes a style sheet as it is`() throws {
        for target in try Self.package().map(\.name) where !["LogFormats", "Migrations"].contains(target) {
            for file in try Self.files(of: target) where file.lastPathComponent != "HTML.swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(!text.contains(/&(?:lt|gt|amp|quot|#39);|HTML\(string/), "\(file.path)")
                #expect(!text.contains("(styleSheet: ") || file.lastPathComponent == "HTMLPage.swift", "\(file.path)")
            }
        }
    }

    /// The libraries for networks, as modules.
    private static var networks: Regex<Substring> {
        /NIO\w*|AsyncHTTPClient|Hummingbird\w*|HTTPTypes|ServiceLifecycle|UnixSignals|AsyncAlgorithms/
    }

    @Test func `the program scrollback depends on no library for networks, and scrollback-server does`() throws {
        let targets = Dictionary(uniqueKeysWithValues: try Self.package().map { ($0.name, $0.imports) })
        func libraries(of program: String) throws -> Set<String> {
            var (open, known, found): ([String], Set<String>, Set<String>) = ([program], [program], [])
            while let target = open.popLast() {
                // Migrations has only SQL, in another folder.
                for file in target == "Migrations" ? [] : try Self.files(of: target) {
                    let text = try String(contentsOf: file, encoding: .utf8)
                    let modules = text.matches(of: /(?:^|\n)(?:@\w+ |package )*import (\w+)/).map { String($0.1) }
                    found.formUnion(modules.filter { $0.wholeMatch(of: Self.networks) != nil })
                }
                let next = try Self.tabled(try #require(targets[target], "\(target)")).filter {
                    known.insert($0).inserted
                }
                open += next
            }
            return found
        }
        #expect(try libraries(of: "ScrollbackProgram") == [])
        #expect(try libraries(of: "ScrollbackServer").isSuperset(of: ["NIOSSL", "AsyncHTTPClient", "Hummingbird"]))
    }

    /// The folders and files of a target in `Sources`.
    private static func places(of target: String) throws -> [String] {
        switch target {
        case "NETWORK": try networkNames().map { "Networks/\($0)/Session" }
        case "NETWORKWire": try networkNames().map { "Networks/\($0)/Wire" }
        case "Networks":
            try networkNames().map { "Networks/\($0)/\($0)Traits.swift" } + ["Networks/NetworkTraits.swift"]
        case "Settings": try networkNames().map { "Networks/\($0)/Settings" } + [target]
        default: [target]
        }
    }

    private static func files(of target: String) throws -> [URL] {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
        return try places(of: target).flatMap { place in
            let url = sources.appending(path: place)
            guard url.pathExtension != "swift" else { return [url] }
            let all = try #require(FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil))
            return all.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        }
    }
}
