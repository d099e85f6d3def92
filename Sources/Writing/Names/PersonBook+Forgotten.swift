import ChatModel
package import SQLite

/// Finds the people and direct rooms that were forgotten.
///
/// Only a message brings a person back who was forgotten. Until then, nothing else that names the person is stored: no
/// list of users or members, no reaction, no record of an export. What is older than the forgetting never is.
extension PersonBook {
    /// Returns the user whom something other than a message names, and records that name; nil if the person was
    /// forgotten.
    mutating func mentioned(_ reference: UserReference, at time: Int64, _ db: Database) throws -> Int64? {
        let isForgotten = try isForgotten(ImportedPerson(.key(reference.key)), at: time, db)
        return isForgotten ? nil : try user(reference, at: time, db)
    }

    /// Returns the user whom a record or a reaction of an import names; nil if the person was forgotten.
    package mutating func mentioned(_ person: ImportedPerson, at time: Int64, _ db: Database) throws -> Int64? {
        try isForgotten(person, at: time, db) ? nil : try user(person, at: time, isLate: true, db)
    }

    /// Returns what a record says of a person since the person was forgotten; nil if the person has written nothing
    /// since.
    mutating func unforgotten(_ record: UserRecord, _ db: Database) throws -> UserRecord? {
        guard let identity = record.identity?.withoutNUL, let first = record.names.first else { return record }
        let person = ImportedPerson(identity)
        guard let end = try forgottenUntil(person, at: first.firstSeen.microseconds, db) else { return record }
        guard try find(person, at: first.firstSeen.microseconds, db) != nil else { return nil }
        var rest = record
        rest.names.removeAll { $0.firstSeen.microseconds <= end }
        rest.pictures.removeAll { $0.firstSeen.microseconds <= end }
        return rest
    }

    private mutating func isForgotten(_ person: ImportedPerson, at time: Int64, _ db: Database) throws -> Bool {
        guard let end = try forgottenUntil(person, at: time, db) else { return false }
        return try time <= end || find(person, at: time, db) == nil
    }

    /// Returns the instant up to which everything of a person is forgotten; nil for a person who was not forgotten.
    private mutating func forgottenUntil(_ person: ImportedPerson, at time: Int64, _ db: Database) throws -> Int64? {
        let book = try forgotten(db)
        return book.isEmpty ? nil : try book.end(person: key(of: person, at: time, db), db)
    }

    /// Returns a person's key, or the name in the form in which names are compared if the source has no key and the
    /// archive has nobody of that name.
    package mutating func key(of person: ImportedPerson, at time: Int64, _ db: Database) throws -> String {
        switch person.identity {
        case .key(let key): key
        case .former(let former): try folding(db).fold(former.name)
        case nil: try namedEntry(person.name, at: time, db)?.key ?? folding(db).fold(person.name)
        }
    }
}
