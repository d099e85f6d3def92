// swift-tools-version: 6.2
import Glibc
import PackageDescription

/// The same rules for every target: new language features on, any warning an error.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    // The release build has its tests, too, which see all declarations of a target: what is tested is what ships. With each function in
    // a section of its own, the linker leaves out those that only tests call. The last flag lets generic types find the conformances
    // of their arguments when they are compiled: a search for one at run time takes 0.2 million instructions (measured).
    .unsafeFlags(
        [
            "-enable-testing", "-Xfrontend", "-function-sections", "-Xfrontend",
            "-disable-concrete-type-metadata-mangled-name-accessors",
        ], .when(configuration: .release)),
]

/// The settings of tests: not optimized, because that takes longer than they run, and without a separate compilation of modules.
let testSettings =
    settings + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))]

/// The version of the system's C library, such as 2.36.
let glibc = [CChar](unsafeUninitializedCapacity: 64) {
    $1 = confstr(CInt(_CS_GNU_LIBC_VERSION), $0.baseAddress, $0.count)
}
.withUnsafeBufferPointer { text in text.baseAddress.map { atof($0 + "glibc ".utf8.count) } ?? 0 }

/// Files that the linker takes in place of the toolchain's own; `make linked` puts them there.
let linked = Context.packageDirectory + "/.build/linked"

/// How the programs of a release are linked, which are installed. Tests are not: their library is only a shared one.
///
/// - The runtimes of Swift, C++ and GCC are linked statically: they need not be installed, and a command starts in half the time.
///   The libraries after `-lFoundation` are those that a static Foundation needs.
/// - The program exports no symbols, because it loads no plugins: it starts 1.3 ms sooner.
/// - With packaging/small-icu in place of icudt76_dat, Swift 6.3's ICU data, a stripped scrollback-server takes 30 MB less on disk.
/// - Equal functions of ours become one, which takes 1.2 MB less: nothing compares the addresses of functions.
/// - lld packs 3.5 MB of relative relocations; such a program needs glibc 2.36.
/// - Both programs lie at random addresses, and the addresses of the functions that they call in libraries are read-only from the
///   start on (full RELRO).
let programLinking: [LinkerSetting] = [
    .unsafeFlags(
        ["-static-stdlib", "-L\(linked)", "-use-ld=lld", "-Xclang-linker", "-static-libgcc"]
            + ([
                "--no-export-dynamic", "--icf=all", "-z", "relro", "-z", "now", "\(linked)/small-icu.o",
                "--wrap=icudt76_dat",
                "-lFoundation", "-lFoundationEssentials", "-lFoundationInternationalization", "-lCoreFoundation",
                "-l_FoundationICU", "-l_FoundationCShims", "-l_FoundationCollections", "-lswiftSynchronization",
                "-lswift_StringProcessing", "-lswift_RegexParser", "-lswift_Concurrency",
            ] + (glibc >= 2.36 ? ["-z", "pack-relative-relocs"] : [])).flatMap { ["-Xlinker", $0] },
        .when(configuration: .release))
]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioWebSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let asyncAlgorithms = Target.Dependency.product(name: "AsyncAlgorithms", package: "swift-async-algorithms")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTesting = Target.Dependency.product(name: "HummingbirdTesting", package: "hummingbird")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")

/// The networks, each in a folder of `Sources/Networks` and of `Tests/Networks`.
let networks = [
    "IRC",
    "Matrix",
    "SLP",
    "StreamChat",
    "XMPP",
]

/// The sessions of all networks, which find their settings without an import.
let sessions = networks.map { Target.Dependency(stringLiteral: $0) }

/// The targets without Swift code, besides the system's libraries.
let targetsInC: Set = ["CAssets", "CMigrations", "CTOML", "CrashPoint"]

/// The targets whose parsers `Tests/Fuzz` calls.
let fuzzed: [Target.Dependency] = [
    "Bytes", "ChatModel", "IRCWire", "Importing", "LogFormats", "MCP", "MatrixWire", "Operations", "Options",
    "PostgreSQL", "Rendering", "SLPWire", "SearchText", "Serving", "Settings", "StreamChatWire",
    "TestSupport", "TextEncodings", "XMPPWire", crypto, "CSQLite",
]

/// What lies beside the sources of the fuzzer and its tests.
let fuzzFiles = ["corpus", "dictionaries", "found", "fuzz.py"]

let package = Package(
    name: "scrollback",
    products: [
        .executable(name: "scrollback", targets: ["ScrollbackProgram"]),
        // The same commands with what they do in networks.
        .executable(name: "scrollback-server", targets: ["ScrollbackServer"]),
        // Tests load it into the program.
        .library(name: "CrashPoint", type: .dynamic, targets: ["CrashPoint"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
    ],
    targets: [
        .target(name: "CMigrations"),
        .target(name: "Migrations", dependencies: ["CMigrations"]),
        .target(name: "ChatModel", dependencies: ["Bytes"]),
        .target(
            name: "Networks", dependencies: ["ChatModel"], path: "Sources/Networks",
            exclude: networks.flatMap { ["\($0)/Session", "\($0)/Settings", "\($0)/Wire"] }),
        .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CGlibc"),
        .systemLibrary(name: "CPCRE2", providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        // Its headers are those of libtomlplusplus-dev.
        .target(name: "CTOML"),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZstd", providers: [.apt(["libzstd-dev"])]),
        .target(name: "SQLite", dependencies: ["CSQLite"]),
        .target(name: "SearchText", dependencies: ["Bytes", "CPCRE2"]),
        .target(name: "Bytes"),
        .target(name: "SASL", dependencies: ["Bytes", crypto]),
        .target(name: "TextEncodings"),
        .target(name: "Files", dependencies: ["Bytes", "CZstd", crypto]),
        .target(name: "LogFormats", dependencies: ["Bytes", "ChatModel", "TextEncodings"]),
        .target(
            name: "Schema",
            dependencies: [
                "Bytes", "CSQLite", "ChatModel", "Files", "Migrations", "PostgreSQL", "SQLite",
            ]),
        .target(
            name: "Records",
            dependencies: [
                "Bytes", "CGlibc", "CSQLite", "ChatModel", "Files", "Networks", "SQLite", "Schema", "SearchText",
                crypto,
            ]),
        .target(
            name: "Accounts",
            dependencies: [
                "Bytes", "CSQLite", "ChatModel", "Files", "Migrations", "PostgreSQL", "Records", "SQLite", "Schema",
                logging,
            ]),
        .target(
            name: "Reading",
            dependencies: [
                "Accounts", "Bytes", "CSQLite", "ChatModel", "Files", "Networks", "Records", "SQLite", "Schema",
                "SearchText",
            ]),
        .target(
            name: "Writing",
            dependencies: [
                "Accounts", "Bytes", "CSQLite", "ChatModel", "Files", "Networks", "Reading", "Records", "SQLite",
                "Schema", "SearchText", logging,
            ]),
        .target(
            name: "Archive",
            dependencies: [
                "Accounts", "Bytes", "ChatModel", "Files", "Reading", "Records", "SQLite", "Schema", "SearchText",
                "Writing", logging,
            ]),
        .target(
            name: "Moves",
            dependencies: [
                "Accounts", "Archive", "Bytes", "ChatModel", "Files", "Reading", "Records", "SQLite", "Schema",
                "Writing",
            ]),
        .target(
            name: "Checks",
            dependencies: [
                "Accounts", "Archive", "Bytes", "CSQLite", "ChatModel", "Files", "Moves", "Reading", "Records",
                "SQLite", "Schema", "SearchText",
            ]),
        .target(
            name: "Rescue",
            dependencies: [
                "Accounts", "Archive", "Bytes", "CSQLite", "ChatModel", "Files", "Migrations", "Moves", "Reading",
                "Records", "SQLite", "Schema", "SearchText",
            ]),
        .target(
            name: "SQLQueries",
            dependencies: [
                "Accounts", "Archive", "Bytes", "CSQLite", "ChatModel", "Files", "Reading", "SQLite", "Schema",
            ]),
        .target(
            name: "Sessions",
            dependencies: [
                "ChatModel", "Settings", crypto, httpClient, logging, nioCore, nioHTTP1, nioPosix, nioSSL,
            ]),
        .target(name: "Arrivals", dependencies: [nioCore]),
        .target(name: "RoomServer", dependencies: ["Arrivals", "StreamChatWire", nioCore, nioPosix, logging]),
        .target(
            name: "Rendering",
            dependencies: [
                "Bytes", "CGlibc", "ChatModel", "Files", "Networks", "Reading", "Rescue", "SQLQueries", "SearchText",
            ]),
        .target(
            name: "Exporting",
            dependencies: ["Bytes", "ChatModel", "Files", "LogFormats", "Reading", "Rendering", crypto]),
        .target(
            name: "Importing",
            dependencies: [
                "Archive", "Bytes", "CSQLite", "CZlib", "ChatModel", "Exporting", "LogFormats", "Networks", "Rendering",
                "SQLite", "Schema", "TextEncodings", "Writing",
            ]),
        .target(
            name: "Settings",
            dependencies: [
                "Accounts", "Archive", "Bytes", "CTOML", "ChatModel", "Files", "MatrixWire", "Moves", "Networks",
                "Reading", "Rendering", "Replication", "SLPWire", "StreamChatWire", "TextEncodings", "Writing", crypto,
                logging,
            ],
            path: "Sources"),
        .target(
            name: "Service",
            dependencies: [
                "Accounts", "Archive", "Arrivals", "Bytes", "ChatModel", "Files", "Moves", "Reading", "Rendering",
                "Replication", "Sessions", "Settings", "Writing", logging, nioCore, nioHTTP1, nioPosix,
                serviceLifecycle, unixSignals,
            ]),
        .target(
            name: "ChatClient",
            dependencies: [
                "Bytes", "ChatModel", "Rendering", "Sessions", "Settings", "StreamChat", "StreamChatWire",
                unixSignals,
            ]),
        .target(
            name: "Demonstration",
            dependencies: [
                "Archive", "ChatModel", "Files", "Reading", "Rendering", "RoomServer", "Service", "Sessions",
                "Settings", "StreamChat", "StreamChatWire", logging, nioCore, nioPosix, serviceLifecycle,
            ]),
        .target(
            name: "Operations",
            dependencies: ["Accounts", "ChatModel", "Networks", "Options", "Reading", "Rendering", "SearchText"]),
        .target(
            name: "MCP",
            dependencies: [
                "Archive", "Bytes", "ChatModel", "Operations", "Options", "Reading", "Rendering",
            ]),
        .target(
            name: "Reader",
            dependencies: ["ChatModel", "Files", "Operations", "Reading", "Rendering", "SearchText"]),
        .target(name: "Options"),
        .target(name: "PostgreSQL", dependencies: ["CGlibc"]),
        .target(
            name: "Replication",
            dependencies: [
                "Accounts", "Archive", "ChatModel", "Files", "PostgreSQL", "Reading", "Records", "Schema", "SearchText",
                crypto, logging,
            ]),
        .target(name: "CAssets", exclude: ["files"]),
        .target(
            name: "Serving",
            dependencies: [
                "Accounts", "Archive", "Bytes", "CAssets", "CZlib", "ChatModel", "Files", "MCP", "Operations",
                "Options", "PostgreSQL", "Reading", "Rendering", "SearchText", "Service", "Settings", crypto, httpTypes,
                hummingbird, hummingbirdCore, logging, nioCore, nioHTTPTypes, nioPosix, serviceLifecycle,
            ]),
        .target(
            name: "Scrollback",
            dependencies: [
                "Accounts", "Archive", "Bytes", "ChatModel", "Checks", "Exporting", "Files", "Importing", "LogFormats",
                "MCP", "MatrixWire", "Moves", "Operations", "Options", "PostgreSQL", "Reader", "Reading", "Rendering",
                "Replication", "Rescue", "SQLQueries", "Schema", "SearchText", "Settings", "StreamChatWire",
                "TextEncodings", logging,
            ]),
        // What commands do in networks. The program `scrollback` must not depend on it.
        .target(
            name: "ServerCommands",
            dependencies: [
                "Archive", "ChatClient", "ChatModel", "Demonstration", "Files", "Options", "Reading", "Rendering",
                "Replication", "RoomServer", "Scrollback", "Service", "Serving", "Sessions", "Settings",
                "StreamChatWire", logging, nioPosix, serviceLifecycle, unixSignals,
            ] + sessions),
        .executableTarget(name: "ScrollbackProgram", dependencies: ["Scrollback"], linkerSettings: programLinking),
        .executableTarget(
            name: "ScrollbackServer", dependencies: ["Scrollback", "ServerCommands"],
            linkerSettings: programLinking),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Accounts", "Archive", "CSQLite", "ChatModel", "Migrations", "Moves", "PostgreSQL", "Reading",
                "Replication", "RoomServer", "SLP", "SLPWire", "Schema", "SearchText", "Sessions", "StreamChat",
                "StreamChatWire", "TestSupport", "Writing", logging, nioCore, nioPosix,
            ],
            path: "bench",
            exclude: [
                "bounds.txt", "counts_duckdb.py", "encoding_accuracy.py", "languages", "matrix.py", "peers",
                "plot_picture.py", "plots.py", "xmpp.py", "xmpp_stand_in.py",
            ]),
        .target(name: "CrashPoint", path: "Tests/CrashPoint", publicHeadersPath: "."),
        .target(
            name: "TestSupport",
            dependencies: [
                "CGlibc", "CZlib", "ChatModel", "IRCWire", crypto, httpClient, nioCore, nioHTTP1, nioPosix,
                "CSQLite",
            ],
            path: "Tests/TestSupport",
            exclude: ["LastSchemas"]),
        .testTarget(name: "BytesTests", dependencies: ["Bytes", "TestSupport"]),
        .testTarget(name: "TextEncodingsTests", dependencies: ["TestSupport", "TextEncodings"]),
        .testTarget(name: "ChatModelTests", dependencies: ["ChatModel", "TestSupport"]),
        .testTarget(name: "MigrationsTests", dependencies: ["Migrations"]),
        .testTarget(name: "SQLiteTests", dependencies: ["CSQLite", "SQLite", "TestSupport"]),
        .testTarget(name: "SearchTextTests", dependencies: ["SearchText", "TestSupport", "SQLite"]),
        .testTarget(name: "LogFormatsTests", dependencies: ["Bytes", "ChatModel", "LogFormats", "TestSupport"]),
        .testTarget(
            name: "ArchiveTests",
            dependencies: [
                "Accounts", "Archive", "ChatModel", "Checks", "Files", "Migrations", "Moves", "PostgreSQL", "Reading",
                "Records", "Replication", "Rescue", "SQLQueries", "SQLite", "Schema", "SearchText", "TestSupport",
                "Writing", logging,
            ]),
        .target(
            name: "ScriptedSessions",
            dependencies: [
                "Archive", "ChatModel", "Checks", "Reading", "Sessions", "StreamChat", "StreamChatWire", "TestSupport",
                "Writing", logging,
            ],
            path: "Tests/ScriptedSessions"),
        .testTarget(
            name: "SessionsTests",
            dependencies: [
                "Archive", "ChatModel", "SLPWire", "ScriptedSessions", "Sessions", "StreamChatWire",
                "TestSupport", "XMPPWire", httpClient, logging, nioCore, nioPosix, nioSSL,
            ] + sessions),
        .testTarget(
            name: "RoomServerTests",
            dependencies: ["RoomServer", "StreamChatWire", "TestSupport", nioCore, nioPosix]),
        .testTarget(
            name: "ReaderTests",
            dependencies: [
                "Archive", "ChatModel", "Operations", "Reader", "Reading", "Rendering", "TestSupport", "Writing",
            ]),
        .testTarget(name: "OptionsTests", dependencies: ["Options"]),
        .testTarget(
            name: "ScrollbackTests",
            dependencies: [
                "Archive", "ChatClient", "ChatModel", "Checks", "Demonstration", "Exporting", "Files", "Importing",
                "LogFormats", "Moves", "Operations", "Options", "Reading", "Rendering", "SQLQueries", "Scrollback",
                "SearchText", "Service", "Sessions", "Settings", "StreamChatWire", "TestSupport", "TextEncodings",
                "Writing", logging, nioCore, nioPosix, serviceLifecycle,
            ] + sessions),
        .testTarget(
            name: "ServingTests",
            dependencies: [
                "Accounts", "Archive", "ChatModel", "Files", "MCP", "Moves", "Operations", "Options", "PostgreSQL",
                "Reading", "Rendering", "Replication", "SQLite", "Scrollback", "Serving", "Settings", "TestSupport",
                "Writing", crypto, httpTypes, hummingbird, hummingbirdTesting, logging, nioCore, nioEmbedded,
                nioHTTPTypes, nioPosix, serviceLifecycle,
            ]),
        .testTarget(
            name: "FuzzTests", dependencies: fuzzed, path: "Tests/Fuzz", exclude: fuzzFiles + ["CFuzzer", "Fuzzer"]),
        .testTarget(name: "BenchmarksTests", dependencies: ["Benchmarks", "TestSupport"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Archive", "ChatModel", "Exporting", "Files", "LogFormats", "Migrations", "Moves", "Options", "Reading",
                "Rendering", "SQLite", "Schema", "Scrollback", "Settings", "TestSupport", "Writing", crypto,
            ]),
    ],
    // toml++ needs C++17.
    cxxLanguageStandard: .cxx17
)

for network in networks {
    package.targets += [
        .target(
            name: "\(network)Wire",
            dependencies: ["Bytes", "ChatModel", "LogFormats", "TextEncodings", crypto, cryptoExtras]
                + (["IRC", "XMPP"].contains(network) ? ["SASL"] : []) + (network == "XMPP" ? ["CExpat"] : []),
            path: "Sources/Networks/\(network)/Wire"),
        .target(
            name: "\(network)",
            dependencies: [
                .byName(name: "\(network)Wire"), "Bytes", "CGlibc", "ChatModel", "LogFormats", "Sessions", "Settings",
                "TextEncodings", asyncAlgorithms, httpClient, logging, nioCore, nioHTTP1, nioPosix, nioSSL,
                nioWebSocket,
            ],
            path: "Sources/Networks/\(network)/Session"),
        .testTarget(
            name: "\(network)Tests",
            dependencies: [
                .byName(name: network), .byName(name: "\(network)Wire"), "Archive", "Bytes", "ChatModel", "Checks",
                "Reading", "SASL", "ScriptedSessions", "Sessions", "Settings", "TestSupport", "TextEncodings",
                "Writing",
                crypto, logging, nioCore, nioPosix, nioSSL,
            ],
            path: "Tests/Networks/\(network)"),
    ]
}

// Every target with Swift code has the same settings, and what only tests have is not optimized.
for target in package.targets where target.type != .system && !targetsInC.contains(target.name) {
    let isOfTests = target.type == .test || ["ScriptedSessions", "TestSupport"].contains(target.name)
    target.swiftSettings = isOfTests ? testSettings : settings
}

// `Settings` has a folder of its own, and one in each network's. It leaves out those of all other targets.
for target in package.targets where target.name == "Settings" {
    let others = package.targets.filter { $0.path == nil && $0.type != .test && $0.name != "Settings" }
    target.exclude =
        others.map(\.name) + ["Networks/NetworkTraits.swift"]
        + networks.flatMap { ["Networks/\($0)/\($0)Traits.swift", "Networks/\($0)/Session", "Networks/\($0)/Wire"] }
}

// The fuzzer of `make fuzz`, which names libFuzzer's file. It watches the branches of all targets.
if let fuzzer = Context.environment["SCROLLBACK_FUZZ"] {
    package.targets.removeAll { $0.name == "FuzzTests" }
    package.targets += [
        .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer", publicHeadersPath: "."),
        .executableTarget(
            name: "Fuzz", dependencies: fuzzed + ["CFuzzer"], path: "Tests/Fuzz",
            exclude: fuzzFiles + ["CFuzzer", "Tests"], swiftSettings: settings,
            linkerSettings: [
                .unsafeFlags([
                    "-sanitize=address", "-use-ld=lld", "-Xlinker", "--whole-archive", "-Xlinker", fuzzer, "-Xlinker",
                    "--no-whole-archive", "-lstdc++",
                ])
            ]),
    ]
    let watched = SwiftSetting.unsafeFlags([
        "-enable-testing", "-sanitize=address",
        "-sanitize-coverage=edge,trace-cmp,inline-8bit-counters,pc-table",
    ])
    for target in package.targets { target.swiftSettings?.append(watched) }
}
