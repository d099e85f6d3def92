package import Files
import FoundationEssentials
import Rendering

/// The file with the tokens, in the data folder, for its owner only.
package struct TokenFile: Sendable {
    private let file: OwnersFile

    package static let fileName = "serve.tokens"
    /// The name of the file that is locked while ``fileName`` or the owner's secret changes.
    package static let lockName = "serve.lock"

    package init(folder: String) {
        file = OwnersFile(path: folder + "/" + Self.fileName, lock: folder + "/" + Self.lockName)
    }

    /// Returns the tokens in the order of their names; none if there is no file.
    ///
    /// - Throws: ``ServiceError`` for a file that others can read, or that is damaged; ``ArchiveError`` for a file that
    ///   can't be read.
    package func read() throws -> [AccessToken] { try tokens(in: content()) }

    /// Returns the content of the file for ``tokens(in:)``; nil if there is no file.
    ///
    /// - Throws: ``ArchiveError``
    package func content() throws(ArchiveError) -> OwnersFile.Content? { try file.read() }

    /// Decodes the tokens.
    ///
    /// - Throws: ``ServiceError`` for a file that others can read, or that is damaged.
    package func tokens(in content: OwnersFile.Content?) throws(ServiceError) -> [AccessToken] {
        guard let content else { return [] }
        guard content.isPrivate else {
            throw failure("can be read by other users", hint: "chmod 600 it, and replace the tokens")
        }
        do {
            return try JSONDecoder().decode([AccessToken].self, from: Data(content.bytes))
        } catch {
            throw failure("is damaged", hint: "remove it, and add the tokens again")
        }
    }

    /// Changes the tokens, and returns when the change is on the disk. Commands that change them at the same time wait
    /// for each other, so that no change is lost.
    ///
    /// - Parameter body: Changes the tokens. If it throws, nothing changes.
    package func change(_ body: (inout [AccessToken]) throws -> Void) throws {
        let lock = try file.lock()
        defer { withExtendedLifetime(lock) {} }
        var tokens = try read()
        try body(&tokens)
        try file.replace(with: JSONLine.document(tokens.sorted { $0.name < $1.name }))
    }

    private func failure(_ problem: String, hint: String) -> ServiceError {
        ServiceError(.notPermitted, "the file of tokens \(Sanitizer.line(file.path)) \(problem)", hint: hint)
    }
}
