package import ChatModel
import Foundation
import Rendering

/// A token with which a program may send requests to the server.
package struct AccessToken: Sendable, Hashable, Codable {
    package struct Room: Sendable, Hashable, Codable {
        package var account: String
        package var id: Int64
        /// The name when the token was made, for people.
        package var name: String
        /// When the account was created, in microseconds since 1970. An account that was erased and made again has
        /// other rooms.
        package var accountCreatedAt: Int64

        package init(account: String, id: Int64, name: String, accountCreatedAt: Timestamp) {
            (self.account, self.id, self.name) = (account, id, name)
            self.accountCreatedAt = accountCreatedAt.microseconds
        }
    }

    package var name: String
    /// The SHA-256 of the token, in hexadecimal. The token itself is kept nowhere.
    package var sha256: String
    /// The accounts that the token may read whole. With no account and no room, it may read everything.
    package var accounts: [String]
    package var rooms: [Room]
    /// True if the token may mark rooms as read.
    package var mayWrite: Bool
    /// Microseconds since 1970; nil for a token without an end.
    package var expiresAt: Int64?
    package var createdAt: Int64

    package init(
        name: String, sha256: String, accounts: [String], rooms: [Room], mayWrite: Bool, expiresAt: Timestamp?,
        createdAt: Timestamp
    ) {
        (self.name, self.sha256, self.accounts, self.rooms) = (name, sha256, accounts, rooms)
        (self.mayWrite, self.expiresAt, self.createdAt) = (mayWrite, expiresAt?.microseconds, createdAt.microseconds)
    }

    package var access: ReadAccess {
        guard !accounts.isEmpty || !rooms.isEmpty else { return .everything }
        var parts = Dictionary(grouping: rooms, by: \.account).mapValues { ReadAccess.Part.rooms(Set($0.map(\.id))) }
        for account in accounts { parts[account] = .whole }
        let creations = rooms.filter { !accounts.contains($0.account) }.map {
            ($0.account, Timestamp(microseconds: $0.accountCreatedAt))
        }
        return ReadAccess(parts, creations: Dictionary(creations, uniquingKeysWith: { $1 }))
    }

    package func isExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now.microseconds } ?? false }
}

/// The file with the tokens, in the data folder, for its owner only.
package struct TokenFile: Sendable {
    package let path: String

    package static let fileName = "serve.tokens"

    package init(folder: String) {
        path = folder + "/" + Self.fileName
    }

    /// Returns the tokens in the order of their names; none if there is no file.
    ///
    /// - Throws: ``ServiceError`` for a file that can't be read, that others can read, or that is damaged.
    package func read() throws(ServiceError) -> [AccessToken] {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return [] }
            throw failure("can't be read: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw failure("can be read by other users", hint: "chmod 600 it, and replace the tokens")
        }
        guard let data = FileManager.default.contents(atPath: path) else { throw failure("can't be read") }
        do {
            return try JSONDecoder().decode([AccessToken].self, from: data)
        } catch {
            throw failure("is damaged", hint: "remove it, and add the tokens again")
        }
    }

    /// Replaces the file.
    package func write(_ tokens: [AccessToken]) throws(ServiceError) {
        do {
            let data = Data(try JSONLine.document(tokens.sorted { $0.name < $1.name }))
            // The process's mask keeps others out; the new file takes the place of the old one at once.
            try data.write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw failure("can't be written: \(error.localizedDescription)")
        }
        chmod(path, 0o600)
    }

    private func failure(_ problem: String, hint: String? = nil) -> ServiceError {
        ServiceError(.notPermitted, "the file of tokens \(Sanitizer.line(path)) \(problem)", hint: hint)
    }
}
