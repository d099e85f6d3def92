import Testing

@testable import Archive

@Suite struct AccountFolderTests {
    @Test(arguments: [
        ("1.sqlite", 1), ("3.sqlite.zst", 3), ("12.sqlite-wal", 12), ("12.sqlite-shm", 12), ("7.sqlite-journal", 7),
        ("7.sqlite.tmp", 7), ("7.sqlite.zst.tmp", 7), ("999999999.sqlite", 999_999_999),
    ])
    func `a file of an account tells its generation`(name: String, generation: Int) {
        #expect(AccountFolder.generation(of: name) == generation)
    }

    @Test(arguments: [
        "lock", "writer", "", ".sqlite", "0.sqlite", "01.sqlite", "-1.sqlite", "1.sqlite2", "1.sqlite.zst.old",
        "1.SQLITE",
        "1000000000.sqlite", "99999999999999999999.sqlite", "1 .sqlite", "１.sqlite", "1\u{301}.sqlite", "a1.sqlite",
        "1.sqlite\n", "1.sqlite-wal.tmp",
    ])
    func `no other file does`(name: String) {
        #expect(AccountFolder.generation(of: name) == nil)
    }
}
