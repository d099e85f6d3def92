package import SQLite
import Schema

/// The schema of an account's file, compared with the schema of a new file. Comments may differ. The upgrade of an earlier
/// schema makes the views for people again, so those of such a file are not compared.
package struct SchemaComparison {
    /// The tables, indices, triggers and views that the file lacks, such as `table message`.
    package let missing: [String]
    /// The triggers and indices of others, and whatever has the name of an object of Scrollback's with another meaning.
    /// They would run or fail whenever the account is written or read.
    package let foreign: [String]

    /// - Parameter version: The number of the file's schema.
    package init(_ db: Database, version: Int) throws {
        let views = version < Schema.account.current ? SchemaView.all.map(\.name) : []
        let expected = try SchemaObject.all(of: .account, number: max(version, Schema.account.first))
            .filter { $0.type != "view" || !views.contains($0.name) }
        let found = try SchemaObject.all(db)
        let own = Dictionary(expected.map { ($0.title, $0.tokens) }) { first, _ in first }
        let (titles, names) = (Set(found.map(\.title)), Set(expected.map(\.name)))
        missing = expected.map(\.title).filter { !titles.contains($0) }
        foreign = found.filter { object in
            if let tokens = own[object.title] { return object.tokens != tokens }
            // A further table or view does nothing by itself.
            return ["trigger", "index"].contains(object.type) || names.contains(object.name)
        }.map(\.title)
    }
}
