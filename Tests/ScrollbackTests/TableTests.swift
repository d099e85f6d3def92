import Testing

@testable import Rendering

struct TableTests {
    private let table = Table(
        headings: ["ROOM", "N", "LAST ERROR"], alignments: [.left, .right, .left],
        rows: [["a1/우리집", "12", "the server broke a limit"], ["b", "3", "-"]])

    @Test func `a table that fits or has no width limit is as wide as its cells`() {
        let whole = """
            ROOM        N  LAST ERROR
            a1/우리집  12  the server broke a limit
            b           3  -

            """
        #expect(table.text(style: .plain, width: nil) == whole)
        #expect(table.text(style: .plain, width: 39) == whole)
    }

    @Test func `in a narrow table, cells wrap`() {
        #expect(
            table.text(style: .plain, width: 28) == """
                ROOM        N  LAST ERROR
                a1/우리집  12  the server
                               broke a limit
                b           3  -

                """)
    }

    @Test func `if words would not fit, each row is a paragraph`() {
        #expect(
            table.text(style: .plain, width: 20) == """
                ROOM        a1/우리
                            집
                N           12
                LAST ERROR  the
                            server
                            broke a
                            limit

                ROOM        b
                N           3
                LAST ERROR  -

                """)
    }
}
