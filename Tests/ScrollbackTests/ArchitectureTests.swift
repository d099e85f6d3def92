import Foundation
import Testing

/// The order of the targets in `docs/architecture.md`, and the modules that a target must not know.
struct ArchitectureTests {
    struct Target: Hashable {
        let name: String
        /// The targets on which it depends; of networks' targets those on which each depends.
        let common: Set<String>
        /// The targets on which only some networks' targets depend.
        let special: Set<String>

        var imports: Set<String> { common.union(special) }
    }

    /// The only targets that import some modules, by a pattern of their names. All others never see them.
    private static let users: [(modules: String, targets: Set<String>)] = [
        // The store. Networks see it as `EventSink` and `ListenerState`.
        (
            "Records|Accounts|Reading|Writing|Archive|Moves|Checks|Rescue",
            [
                "Accounts", "Archive", "Checks", "Demonstration", "Exporting", "Importing", "MCP", "Moves",
                "Operations", "Reader", "Reading", "Rendering", "Replication", "Rescue", "SQLQueries", "Scrollback",
                "ServerCommands", "Service", "Serving", "Settings", "Writing",
            ]
        ),
        ("Records", ["Accounts", "Archive", "Checks", "Moves", "Reading", "Replication", "Rescue", "Writing"]),
        ("Writing", ["Archive", "Importing", "Moves", "Service", "Settings"]),
        ("Moves", ["Checks", "Rescue", "Scrollback", "Service", "Settings"]),
        ("Checks", ["Scrollback"]),
        ("Rescue", ["Rendering", "Scrollback"]),
        // SQL: that of the archive, of files to import, and of a shared archive.
        (
            "SQLite",
            [
                "Accounts", "Archive", "Checks", "Importing", "Moves", "Reading", "Records", "Rescue", "SQLQueries",
                "Schema", "Writing",
            ]
        ),
        (
            "CSQLite",
            [
                "Accounts", "Checks", "Importing", "Reading", "Records", "Rescue", "SQLQueries", "SQLite", "Schema",
                "Writing",
            ]
        ),
        ("PostgreSQL", ["Accounts", "Replication", "Schema", "Scrollback", "Serving"]),
        ("Migrations", ["Accounts", "Rescue", "Schema"]),
        (
            "Schema",
            [
                "Accounts", "Archive", "Checks", "Importing", "Moves", "Reading", "Records", "Replication", "Rescue",
                "SQLQueries", "Scrollback", "Writing",
            ]
        ),
        ("SQLQueries", ["Rendering", "Scrollback"]),
        // The rules of networks. The store and all readers know a network by its traits alone.
        ("Networks", ["Importing", "Operations", "Reading", "Records", "Rendering", "Settings", "Writing"]),
        ("Sessions", ["ChatClient", "Demonstration", "NETWORK", "ServerCommands", "Service"]),
        ("NETWORK", ["ChatClient", "Demonstration"]),
        (
            "NETWORKWire",
            ["ChatClient", "Demonstration", "NETWORK", "RoomServer", "Scrollback", "ServerCommands", "Settings"]
        ),
        // Logs and exports of other programs.
        ("LogFormats", ["Exporting", "Importing", "NETWORK", "NETWORKWire", "Scrollback"]),
        // The command line, and the descriptions of parameters.
        ("Options", ["MCP", "Operations", "Scrollback", "ServerCommands", "Serving"]),
        ("CTOML", ["Settings"]),
        // Sockets, TLS, clients and servers of HTTP.
        (
            libraries,
            [
                "Arrivals", "ChatClient", "Demonstration", "NETWORK", "RoomServer", "ServerCommands", "Service",
                "Serving", "Sessions",
            ]
        ),
        ("NIOSSL|AsyncHTTPClient", ["NETWORK", "Sessions"]),
        ("Hummingbird\\w*|HTTPTypes|NIOHTTPTypes", ["Serving"]),
    ]

    /// The libraries for networks, as a pattern of their modules.
    static let libraries =
        "NIO\\w*|AsyncHTTPClient|Hummingbird\\w*|HTTPTypes|ServiceLifecycle|UnixSignals|AsyncAlgorithms"

    /// C libraries and the targets of tests and benchmarks, which are not in the page.
    private static let leftOut: Set = [
        "CAssets", "CExpat", "CGlibc", "CMigrations", "CPCRE2", "CSQLite", "CTOML", "CZlib", "CZstd", "CrashPoint",
        "ScriptedSessions", "TestSupport", "Benchmarks", "CFuzzer", "Fuzz",
    ]

    /// The networks, each with the targets that the page calls `NETWORK` and `NETWORKWire`.
    private static func networkNames() throws -> [String] {
        let list = try #require(try document("Package.swift").firstMatch(of: /\nlet networks = \[([^\]]*)\]/)).1
        return list.matches(of: /"(\w+)"/).map { String($0.1) }
    }

    /// Returns names in which those of networks' targets are as in the page.
    private static func generalised(_ names: Set<String>) throws -> Set<String> {
        let networks = try networkNames()
        return Set(
            names.map { name in
                networks.contains(name) ? "NETWORK" : networks.contains { $0 + "Wire" == name } ? "NETWORKWire" : name
            })
    }

    static func package() throws -> [Target] {
        let text = try document("Package.swift").replacing("\\(network)", with: "NETWORK")
        let found = text.matches(
            of:
                #/
                \.(?:executableTarget|target)\(\s*name:\ "(\w+)"
                (?:,\s*(?:path:\ "[^"]*",|dependencies:\ \[([^\]]*)\]))?
                (?:\s*\+\ \(\[[^\]]*\]\.contains\(network\)\ \?\ \[([^\]]*)\])?
                /#)
        func names(_ list: Substring?) throws -> Set<String> {
            try generalised(Set((list ?? "").matches(of: /"(\w+)"/).map { String($0.1) }).subtracting(leftOut))
        }
        return try found.map { match in
            Target(name: String(match.1), common: try names(match.2), special: try names(match.3))
        }.filter { !leftOut.contains($0.name) }
    }

    /// The diagram: the targets of each line, the topmost line first.
    private static func diagram() throws -> [(left: [String], right: [String])] {
        let page = try document("docs/architecture.md")
        let drawn = try #require(page.firstMatch(of: /\n```\n[^\n]*│[^\n]*\n((?:[^\n]*│[^\n]*\n)+)```/)).1
        return drawn.split(separator: "\n").map { line in
            let sides = line.split(separator: "│", omittingEmptySubsequences: false).map { side in
                side.matches(of: /\w+/).map { String($0.0) }
            }
            return (sides[0], sides[1])
        }
    }

    /// The targets in the first column of the table.
    private static func table() throws -> [String] {
        try document("docs/architecture.md").matches(of: /\n\| ((?:`\w+`(?:, )?)+) \| [^|]* \|(?=\n)/).flatMap { row in
            row.1.matches(of: /`(\w+)`/).map { String($0.1) }
        }
    }

    @Test func `the page draws every target once, and its table explains each`() throws {
        let targets = try Self.package().map(\.name).sorted()
        #expect(try Self.diagram().flatMap { $0.left + $0.right }.sorted() == targets)
        #expect(try Self.table().sorted() == targets)
    }

    @Test func `each target imports only targets that are drawn below it`() throws {
        let imports = Dictionary(uniqueKeysWithValues: try Self.package().map { ($0.name, $0.imports) })
        var above: Set<String> = []
        for line in try Self.diagram() {
            above.formUnion(line.left + line.right)
            for target in line.left + line.right {
                #expect(try #require(imports[target], "\(target)").isDisjoint(with: above), "\(target)")
            }
        }
    }

    @Test func `the left side of the diagram is what scrollback contains`() throws {
        let contained = try Self.contents(of: "ScrollbackProgram")
        #expect(Set(try Self.diagram().flatMap(\.left)) == contained)
    }

    @Test func `each target declares the targets that its files import`() throws {
        let targets = try Self.package()
        for target in targets {
            let imported = try #require(try Self.modules.get()[target.name]).intersection(targets.map(\.name))
            #expect(imported == target.imports, "\(target.name)")
        }
    }

    @Test func `only the listed targets see the store, SQL, networks, formats and options`() throws {
        for (modules, targets) in Self.users {
            let pattern = try Regex(modules)
            let found = try Self.modules.get().filter { $0.value.contains { $0.wholeMatch(of: pattern) != nil } }
            #expect(Set(found.keys) == targets, "\(modules)")
        }
    }

    @Test(arguments: ["LogFormats", "SearchText", "Operations", "MCP", "NETWORKWire"])
    func `values come from bytes, so no file is opened`(target: String) throws {
        for file in try Self.files(of: target) {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains(/FileManager|FileHandle|fopen|contentsOfFile|Data\(contentsOf/), "\(file.path)")
        }
    }

    @Test(arguments: [
        "Archive", "ChatModel", "Exporting", "Importing", "MCP", "Operations", "Reader", "Rendering", "Replication",
        "SQLQueries", "Schema", "SearchText", "Service", "Serving", "Sessions",
    ])
    func `no layer below names a network, because all rules of one are its traits`(target: String) throws {
        let names = try Self.networkNames().map { $0.lowercased() }.joined(separator: "|")
        let pattern = try Regex("\"(?:\(names))\"|NetworkTraits\\.(?!of\\()")
        // Addresses begin with `irc`, too.
        for file in try Self.files(of: target) where file.lastPathComponent != "BodyLink.swift" {
            #expect(!(try String(contentsOf: file, encoding: .utf8)).contains(pattern), "\(file.path)")
        }
    }

    /// The formats of `KnownLogFormats`, each in a folder of `Sources/LogFormats`.
    private static func formats() throws -> [String] {
        let list = try document("Sources/LogFormats/KnownLogFormats.swift")
        return Set(list.matches(of: /(\w+Format)\.self/).map { String($0.1) }).sorted()
    }

    @Test func `a log format is a folder, and a line in the list of formats`() throws {
        let files = try Self.package().flatMap { try Self.files(of: $0.name) }.filter {
            $0.lastPathComponent != "KnownLogFormats.swift"
        }
        // The words of each file that are a format's name; a regular expression for each format took a minute.
        let formats = Set(try Self.formats())
        var places: [String: [String]] = [:]
        for file in files {
            let words = try Data(contentsOf: file).split { byte in
                !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte & 0xDF
                    || byte == UInt8(ascii: "_"))
            }
            for format in formats.intersection(words.map { String(decoding: $0, as: UTF8.self) }) {
                places[format, default: []].append(file.standardized.path)
            }
        }
        for format in formats.sorted() {
            let named = places[format] ?? []
            let own = try #require(named.first { $0.hasSuffix("/\(format).swift") }, "\(format)")
            let folder = URL(filePath: own).deletingLastPathComponent().path
            #expect(folder.contains("/Sources/LogFormats/"), "\(format) has no folder of its own")
            let others = named.filter { !$0.hasPrefix(folder + "/") }.sorted()
            #expect(others == [], "only its folder and KnownLogFormats.swift name \(format)")
        }
    }

    @Test func `no library knows a command-line option or throws a command's error`() throws {
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

    /// The modules that the files of each target import.
    static let modules = Result {
        var modules: [String: Set<String>] = [:]
        for target in try package().map(\.name) {
            let lines = try files(of: target).flatMap { file in
                try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.contains("import ") }
            }
            let names = lines.compactMap {
                $0.wholeMatch(of: /(?:@\w+ |package |internal )*import (?:(?:struct|class|enum|func) )?(\w+).*/)?.1
            }
            modules[target] = try generalised(Set(names.map(String.init)))
        }
        return modules
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

    static func files(of target: String) throws -> [URL] {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
        return try places(of: target).flatMap { place in
            let url = sources.appending(path: place)
            guard url.pathExtension != "swift" else { return [url] }
            let all = try #require(FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil))
            return all.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        }
    }
}
