package import Files
import SQLite

extension ColdFile {
    /// Encrypts a compressed file that has the expected content, and reads the new one back.
    ///
    /// - Parameters:
    ///   - path: The new file, which is on disk when this returns.
    ///   - progress: Receives the number of plain bytes checked, and then their number for each piece.
    /// - Returns: The new file's place in the catalog.
    package func encrypt(
        _ cold: Catalog.ColdCopy, to recipients: AgeRecipients, at path: String, progress: Progress
    ) throws -> Catalog.ColdCopy {
        let plain = try PrivateCopy.open(self, expecting: cold.digest, progress: progress)
        let epoch = try plain.queue.read { db in try String.fetchOne(db, sql: "SELECT epoch FROM account") ?? "" }
        try plain.queue.close()
        let (source, target) = (try OpenFile(reading: self.path), try NewFile(path, to: recipients))
        try source.readAll { bytes in
            try target.write(bytes)
            try progress(cold.digest.size)
        }
        let written = try target.finish()
        try ColdFile(path: path).requireWritten(written)
        var cold = cold
        cold.size = written.size
        cold.encryption = Catalog.Encryption(sha256: written.sha256, recipients: recipients.digest, epoch: epoch)
        return cold
    }
}
