import Networks
import SQLite

/// The known rows of an account's rooms and users, with their names.
///
/// After a rollback, create a new one.
package struct NameBook {
    package var rooms = RoomBook()
    package var people = PersonBook()

    package init() {}

    /// Creates a book for a rehearsal, which remembers changes instead of making them.
    package static func rehearsal() -> NameBook {
        var book = NameBook()
        book.rooms.absent = []
        book.people.rehearsal = PersonBook.Rehearsal()
        return book
    }
}

extension NetworkTraits {
    /// Returns the traits of the network that the account's file names.
    static func ofAccount(_ db: Database) throws -> NetworkTraits {
        of(try String.fetchOne(db, sql: "SELECT network FROM account") ?? "")
    }
}
