/// Encrypts bytes as they come.
struct AgeEncryption {
    private let process: AgeProcess
    private let target: (UnsafeRawBufferPointer) throws -> Void

    /// - Parameter target: Receives the encrypted bytes.
    init(
        to recipients: AgeRecipients, target: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws(ArchiveError) {
        process = try AgeProcess(["--encrypt"] + recipients.keys.flatMap { ["--recipient", $0] })
        self.target = target
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws { try process.write(bytes, to: target) }

    /// Passes on the rest. Without this call the encrypted bytes are incomplete.
    func finish() throws { try process.finish(to: target) }
}

/// Decrypts a file as it is read.
struct AgeDecryption {
    private let path: String
    private let process: AgeProcess

    /// - Throws: ``ArchiveError`` with `encrypted` without a readable identity, `age` without the program.
    init(reading path: String, with identities: AgeIdentities) throws(ArchiveError) {
        try identities.require(for: path)
        self.path = path
        process = try AgeProcess(
            ["--decrypt"] + identities.files.flatMap { ["--identity", $0] }, reading: OpenFile(reading: path))
    }

    /// - Returns: The number of bytes read; 0 at the end, which is authenticated.
    /// - Throws: ``ArchiveError`` with `encrypted` if the identity does not fit, `corrupt` if the file is damaged.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        do {
            return try process.read(into: buffer)
        } catch let failure as AgeProcess.Failure {
            // The words of age 1.1 and 1.2 about identities; its other errors are about the file.
            let isKey = ["no identity matched", "identit", "passphrase", "reading \""].contains(
                where: failure.text.contains)
            throw isKey
                ? ArchiveError(code: .encrypted, detail: "the identity does not decrypt \(path): \(failure.text)")
                : ArchiveError(code: .corrupt, detail: "\(path) is damaged: \(failure.text)")
        }
    }
}

/// A new file whose bytes are counted and hashed, and encrypted if there are recipients.
package final class NewFile {
    private let file: OpenFile
    private let encryption: AgeEncryption?
    private let meter: Meter

    private final class Meter {
        package var digest = DigestMeter()
    }

    /// - Throws: ``ArchiveError`` if the name is taken or the file can't be created.
    package init(_ path: String, to recipients: AgeRecipients?) throws(ArchiveError) {
        let (file, meter) = (try OpenFile(creating: path), Meter())
        (self.file, self.meter) = (file, meter)
        if let recipients {
            encryption = try AgeEncryption(to: recipients) { try NewFile.write($0, file, meter) }
        } else {
            encryption = nil
        }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        if let encryption { try encryption.write(bytes) } else { try Self.write(bytes, file, meter) }
    }

    /// Completes the file, which is on disk when this returns.
    ///
    /// - Returns: The digest of the file's bytes.
    package func finish() throws -> FileDigest {
        try encryption?.finish()
        try file.synchronize()
        return meter.digest.digest
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, _ file: OpenFile, _ meter: Meter) throws {
        meter.digest.add(bytes)
        try file.write(bytes)
    }
}

/// Reads a file, and decrypts it if its name ends in `.age`.
package struct FileSource {
    private let plain: OpenFile?
    private let encrypted: AgeDecryption?

    package static let ending = ".age"

    init(_ path: String, _ identities: AgeIdentities) throws(ArchiveError) {
        let isEncrypted = path.hasSuffix(Self.ending)
        plain = isEncrypted ? nil : try OpenFile(reading: path)
        encrypted = isEncrypted ? try AgeDecryption(reading: path, with: identities) : nil
    }

    /// - Returns: The number of bytes read; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try encrypted?.read(into: buffer) ?? plain?.read(into: buffer) ?? 0
    }
}
