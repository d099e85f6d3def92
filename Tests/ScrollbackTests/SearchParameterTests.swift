import SearchText
import Testing

@testable import Operations

/// The parameters of a search in requests and calls.
struct SearchParameterTests {
    private func operation(_ items: [(name: String, value: String)]) throws -> SearchOperation {
        try SearchOperation(OperationParameters(items, known: SearchOperation.parameters))
    }

    private func mistake(_ items: [(name: String, value: String)]) throws -> UsageError {
        try #require(throws: UsageError.self) { try operation(items) }
    }

    @Test func `an empty query is for all messages, and a missing one is a mistake`() throws {
        #expect(try operation([("q", "")]).query.isEmpty)
        #expect(try mistake([]).message == "--q is missing")
        #expect(try mistake([("account", "demo")]).message == "--q is missing")
    }

    @Test func `a mistake about exact letters names no command`() throws {
        let text = try mistake([("q", "maße"), ("exact-letters", "1")]).message
        #expect(
            OptionNames.replaced(in: text)
                == "exact-letters needs a phrase in quotes in the query, such as \"maße\"")
    }

    @Test func `a second expression is a mistake`() throws {
        #expect(try mistake([("regex", "a"), ("regex", "b")]).message == "--regex is given twice")
    }

    @Test(arguments: ["regex", "sort", "by", "limit", "count", "x"])
    func `a mistake shows the beginning of a long value`(name: String) throws {
        let long = "(" + String(repeating: "a", count: 4000)
        let error = try mistake(name == "x" ? [(long, "1")] : [(name, long)])
        #expect(error.message.utf8.count < 600 && error.message.contains("aaa…"), "\(error.message)")
    }
}
