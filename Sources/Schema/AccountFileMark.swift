import Migrations

/// The mark in the header of an account's file, which distinguishes it from other SQLite files.
package enum AccountFileMark {
    /// The place of the application's id in the header (sqlite.org/fileformat2.html §1.3).
    private static let place = 68

    /// Returns true for the header of an account's file.
    ///
    /// - Parameter header: The file's first bytes; 100 are a whole header.
    package static func isAccount(header: [UInt8]) -> Bool {
        let bytes = header.dropFirst(place).prefix(4)
        return bytes.count == 4 && bytes.reduce(0) { $0 << 8 | Int32($1) } == Migrations.applicationID
    }
}
