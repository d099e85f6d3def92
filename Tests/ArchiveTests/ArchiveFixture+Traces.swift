import Archive
import Foundation
import Testing

extension ArchiveFixture {
    /// Returns where a trace of the texts is in any file of the data folder: the texts, ends of words, pairs of letters.
    ///
    /// - Parameter ends: False to look for whole texts alone, whose ends are words of the schema.
    func traces(of texts: [String], ends: Bool = true) throws -> [String] {
        var needles: Set<String> = []
        for text in texts {
            needles.insert(text)
            guard ends else { continue }
            if text.utf8.count == text.count {
                for length in 5..<max(text.count, 6) { needles.insert(String(text.suffix(length))) }
            } else {
                for (a, b) in zip(text, text.dropFirst()) { needles.insert("\(a)\(b)") }
            }
        }
        let names = try #require(FileManager.default.enumerator(atPath: archive.folder))
        var found: [String] = []
        for case let name as String in names {
            guard let bytes = FileManager.default.contents(atPath: archive.folder + "/" + name) else { continue }
            for needle in needles where bytes.range(of: Data(needle.utf8)) != nil {
                found.append("\(needle) in \(name)")
            }
        }
        return found.sorted()
    }
}
