import Foundation
import TestSupport

@testable import Importing

extension FuzzTarget {
    /// SQLite databases of other programs, whose rows become lines of JSON.
    static let database = FuzzTarget("database", limit: 16 * 1024) { input in
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.sqlite"
        try Data(input).write(to: URL(filePath: path))
        var count = 0
        if let chunks = try? DatabaseChunks.open(path, isStopped: { false }) {
            while let bytes = try? chunks.next(), !bytes.isEmpty { count += bytes.count }
        }
        // ``Expansion`` allows 64 MiB. A row of several values of 2 MiB, each byte written as six, may come before it.
        try require(count <= 256 << 20, "\(count) bytes of \(input.count)")
        try requireEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), ["a.sqlite"], "the files")
    }
}
