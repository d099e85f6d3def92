import Foundation
import TestSupport
import Testing

/// The inputs that `make fuzz` found, without libFuzzer.
@Suite(.disabled(if: QuickCheck.isRunning))
struct FuzzTests {
    /// `Tests/Fuzz`
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: FuzzTarget.all.map(\.name))
    func `every known input follows its target's rules`(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let files = Self.files(of: name)
        #expect(!files.isEmpty)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            #expect(throws: Never.self, "\(file.path)") { try target.check(bytes) }
        }
    }

    @Test func `every folder of inputs has a target`() throws {
        let names = Set(FuzzTarget.all.map(\.name))
        for folder in ["corpus", "found"] {
            let path = Self.folder.appending(path: folder).path
            let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            #expect(Set(found).subtracting(names) == [])
        }
    }

    @Test func `a broken rule is an error`() {
        #expect(throws: BrokenRule.self) { try require(false, "a rule") }
        #expect(throws: BrokenRule.self) { try requireSafe("\u{1B}[2J") }
        for target in FuzzTarget.planted where target.name == "planted-rule" {
            #expect(throws: BrokenRule.self) { try target.check(Array("bug!".utf8)) }
        }
    }

    /// Returns the inputs of a target; for files of logs, the samples too.
    private static func files(of target: String) -> [URL] {
        let samples = ["logs", "import"].contains(target) ? FormatSample.files : []
        return samples
            + ["corpus", "found"].flatMap { folder in
                let path = Self.folder.appending(path: "\(folder)/\(target)")
                return (try? FileManager.default.contentsOfDirectory(at: path, includingPropertiesForKeys: nil)) ?? []
            }
    }
}
