import Bytes
import Foundation
import TestSupport
import Testing

struct FileBeginningTests {
    @Test(arguments: [(0, 0), (1, 1), (70_000, 70_000), (200_000, 100_000)])
    func `a file is read up to the limit`(limit: Int, count: Int) throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try Data(bytes).write(to: URL(filePath: folder.path + "/f"))
        #expect(try FileBeginning.read(folder.path + "/f", limit: limit) == Array(bytes.prefix(count)))
    }

    @Test func `a folder and a missing file fail with the system's reason`() throws {
        let folder = try TemporaryFolder()
        for (path, code) in [(folder.path, EISDIR), (folder.path + "/missing", ENOENT)] {
            let failure = #expect(throws: FileBeginning.Failure.self) { try FileBeginning.read(path, limit: 1) }
            #expect(failure?.code == code)
        }
    }
}
