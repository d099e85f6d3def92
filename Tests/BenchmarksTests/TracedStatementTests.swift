import Testing

@testable import Benchmarks

struct TracedStatementTests {
    @Test(arguments: [
        ("BEGIN", "BEGIN", ""),
        ("SELECT ?, ?", "SELECT 1, NULL", "1=1 2=NULL"),
        ("SELECT ?2, ?1, ?", "SELECT -5, 'it''s ?', 2.5", "2=-5 1='it's ?' 3=2.5"),
        ("SELECT '?', a FROM \"b?\" WHERE c = ?3", "SELECT '?', a FROM \"b?\" WHERE c = x'00ff'", "3=x[0, 255]"),
        ("SELECT ?1 + ?1 || '안녕'", "SELECT 7 + 7 || '안녕'", "1=7 1=7"),
        ("SELECT ?", "SELECT '안녕'", "1='안녕'"),
    ])
    func `the values of a statement are read from its expansion`(
        sql: String, expanded: String, values: String
    ) throws {
        let traced = try TracedStatement(sql: sql, expanded: expanded)
        #expect(traced.values.map { "\($0.index)=\(Self.text($0.value))" }.joined(separator: " ") == values)
    }

    @Test(arguments: [
        ("SELECT 1", "SELECT 2"), ("SELECT ?", "SELECT"), ("SELECT ?", "SELECT 'a"), ("SELECT ?", "SELECT 1, 2"),
        ("SELECT ?", "SELECT a"), ("SELECT 'a", "SELECT"), ("SELECT ?", "SELECT x'0"),
    ])
    func `an expansion of another statement is refused`(sql: String, expanded: String) {
        #expect(throws: BenchmarkError.self) { try TracedStatement(sql: sql, expanded: expanded) }
    }

    private static func text(_ value: BoundValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let bytes): "'\(String(decoding: bytes, as: UTF8.self))'"
        case .blob(let bytes): "x\(bytes)"
        }
    }
}
