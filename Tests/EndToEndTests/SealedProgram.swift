import Foundation
import TestSupport
import Testing

/// A program that finds `age`, and two pairs of keys.
struct SealedProgram {
    static let isPossible = Tool.find("age") != nil && Tool.find("age-keygen") != nil

    var scrollback: Program
    /// The public keys.
    let recipients: [String]
    /// Words that nothing encrypted may have.
    static let secret = "xyzzy-비밀"
    static let picture = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 / 251) }
    /// The SHA-256 of the picture, by which a plain archive names it.
    let pictureName: String

    /// A chat with a picture is imported as account `wa`.
    init() async throws {
        scrollback = try Program()
        let (age, keygen) = (try #require(Tool.find("age")), try #require(Tool.find("age-keygen")))
        scrollback.environment["PATH"] = (age.path as NSString).deletingLastPathComponent + ":/usr/bin:/bin"
        var recipients: [String] = []
        for name in ["key1", "key2"] {
            #expect(try await keygen.run(["-o", scrollback.home + "/" + name]).status == 0)
            let shown = try await keygen.run(["-y", scrollback.home + "/" + name])
            recipients.append(shown.output.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        self.recipients = recipients
        try FileManager.default.createDirectory(atPath: scrollback.home + "/chat", withIntermediateDirectories: true)
        try scrollback.write(
            """
            21/11/2026, 06:23 - 민수: IMG-20261121-WA0001.jpg (file attached)
            21/11/2026, 06:24 - alice: \(Self.secret)\n
            """, to: "chat/WhatsApp Chat with 가족.txt")
        try Data(Self.picture).write(to: URL(filePath: scrollback.home + "/chat/IMG-20261121-WA0001.jpg"))
        let imported = try await scrollback("import", "chat", "-a", "wa")
        #expect(imported.status == 0, "\(imported.errors)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: scrollback.data).filter {
            $0.contains("/attachments/") && !$0.hasSuffix("unfinished")
        }
        let parts = try #require(names.first { $0.utf8.count > 80 }).split(separator: "/").suffix(2)
        pictureName = parts.joined()
    }

    /// The environment of a program that has the secret key.
    func knowing(_ key: String = "key1") -> Program {
        var program = scrollback
        program.environment["SCROLLBACK_IDENTITY_FILE"] = program.home + "/" + key
        return program
    }

    func backUp(_ more: String..., to folder: String = "copies", key: Int = 0) async throws -> Run.Result {
        try await scrollback.start(
            arguments: ["backup", "--all", folder, "--recipient", recipients[key]] + more
        ).result()
    }

    func say(_ text: String) async throws {
        let name = "chat/WhatsApp Chat with 가족.txt"
        try scrollback.write("21/11/2026, 07:30 - alice: \(text)\n", to: name)
        let imported = try await scrollback("import", name, "-a", "wa")
        #expect(imported.status == 0, "\(imported.errors)")
    }

    /// The files below a folder, with their content.
    func files(in folder: String) throws -> [String: Data] {
        let path = scrollback.home + "/" + folder
        return try FileManager.default.subpathsOfDirectory(atPath: path).reduce(into: [:]) { files, name in
            files[name] = FileManager.default.contents(atPath: path + "/" + name)
        }
    }

    /// The encrypted files of a folder that came with messages.
    func attachments(in folder: String) throws -> Set<String> {
        Set(try files(in: folder).keys.filter { $0.contains("/attachments/") && $0.hasSuffix(".age") })
    }

    /// What of the plain archive is in a folder; nothing in an encrypted one.
    func plain(in folder: String) throws -> [String] {
        let content = [
            ("a message", Data(Self.secret.utf8)), ("the picture", Data(Self.picture[1000..<1032])),
            ("the picture's name", Data(pictureName.utf8)),
        ]
        let formats = [("SQLite", Data("SQLite format 3\0".utf8)), ("zstd", Data([0x28, 0xB5, 0x2F, 0xFD]))]
        return try files(in: folder).flatMap { name, bytes in
            // The catalog is plain, and so is its log.
            let isCatalog = name.contains("catalog.sqlite")
            let found = (isCatalog ? content : content + formats).filter { bytes.range(of: $0.1) != nil }
            let isNamed = name.replacing("/", with: "").contains(pictureName)
            return found.map { "\(name): \($0.0)" } + (isNamed ? ["\(name): the picture's name"] : [])
        }
    }

    /// What a person reads.
    func said(_ program: Program? = nil, _ more: String...) async throws -> String {
        let run = try (program ?? scrollback).start(
            arguments: ["history", "wa/가족", "--utc", "-n", "100"] + more)
        return try await run.result().output
    }
}
