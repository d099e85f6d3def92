import Accounts
import HTTPTypes
import Operations
import PostgreSQL
import Rendering
import Testing

@testable import Serving

struct PlaceNamesTests {
    @Test func `no text contains the data folder's path`() {
        let places = PlaceNames(folder: "/home/alice/archive", shared: nil)
        #expect(places.hidden(in: "no room \"x\" in /home/alice/archive") == "no room \"x\" in the archive")
        #expect(places.hidden(in: "/home/alice/archive/accounts/demo/1.sqlite: gone").hasPrefix("the archive/accounts"))
    }

    @Test func `a relative path is replaced only where it is a path`() {
        let places = PlaceNames(folder: "data", shared: nil)
        #expect(places.hidden(in: "no data in data; see data") == "no data in the archive; see data")
    }

    @Test func `no text contains the address of a shared archive`() throws {
        let address = try SharedAddress("postgresql://alice@db.example:5432/chat?sslmode=require")
        let places = PlaceNames(folder: "/keys", shared: address)
        for text in ["no account \"x\" in \(address.shown)", "see \(address.text)"] {
            let hidden = places.hidden(in: text)
            #expect(hidden.contains("the archive") && !hidden.contains("db.example") && !hidden.contains("sslmode"))
        }
    }

    @Test func `accounts that an answer skips are named without their path`() {
        let places = PlaceNames(folder: "/home/alice", shared: nil)
        let lacking = JSONValue.object([
            "rooms": .array([.object(["detail": .string("/home/alice")])]),
            "left_out": .array([.object(["account": .string("a"), "detail": .string("/home/alice/1.sqlite: broken")])]),
        ])
        let hidden = places.hidden(in: lacking).text
        #expect(hidden.contains("\"detail\": \"the archive/1.sqlite: broken\"") && hidden.contains("\"/home/alice\""))
    }

    @Test func `a database error hides the server's own text, which is for the log`() throws {
        let words = "connection to server at \"db.example\" (192.0.2.1), port 5432 failed: FATAL: no role \"alice\""
        let problem = try #require(Problem(PostgreSQLError(kind: .connection, detail: words)))
        #expect(problem.status.code == 503 && problem.cause == words)
        #expect(!problem.document.contains("db.example") && !problem.document.contains("alice"))
    }
}
