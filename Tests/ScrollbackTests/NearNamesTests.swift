import Rendering
import Testing

@Suite struct NearNamesTests {
    @Test(arguments: [
        ("유리", ["박 과장", "최유리 과장", "유리 대리", "나리", "김유리"], ["유리 대리", "김유리", "최유리 과장", "나리"]),
        ("과장", ["최유리 과장", "박 과장"], ["박 과장", "최유리 과장"]),
        ("유리 과장", ["최유리 과장", "유리"], ["최유리 과장"]),
        ("cafe", ["Café Seoul", "CAFÉ", "cave"], ["CAFÉ", "Café Seoul", "cave"]),
        ("ＡＬＩ", ["alice", "bob"], ["alice"]),
        ("ｶﾞﾝ", ["ガンダム"], ["ガンダム"]),
        ("\u{1112}\u{1161}\u{11AB}", ["한결"], ["한결"]),
        ("brown", ["Alice Brown", "Brown Bear"], ["Brown Bear", "Alice Brown"]),
    ])
    func `names that contain the text come first, compared as in a search`(
        text: String, names: [String], found: [String]
    ) {
        #expect(NearNames.names(for: text, among: names) == found)
    }

    @Test(arguments: [
        ("alise", ["alice", "alicia", "bob"], ["alice"]), ("bo", ["bob", "boa", "eve"], ["boa", "bob"]),
        ("kym", ["Kim Mira", "alice"], ["Kim Mira"]), ("철슈", ["철수", "영희"], ["철수"]), ("수", ["희"], []),
        ("", ["alice"], []), ("#", ["#swift"], []), (" ", ["a b"], []),
    ])
    func `otherwise near names are proposed, but not for a single letter`(
        text: String, names: [String], found: [String]
    ) {
        #expect(NearNames.names(for: text, among: names) == found)
    }

    @Test func `at most five names are proposed, the shortest first`() {
        let names = (1...100).map { "alice" + String(repeating: "x", count: $0) }
        #expect(NearNames.names(for: "alice", among: names.shuffled()) == Array(names.prefix(5)))
        let long = String(repeating: "유리", count: 50_000)
        #expect(NearNames.names(for: long, among: names + [long]) == [long])
    }

    @Test(arguments: [
        ("유리", "did you mean \"김유리\" or \"최유리 과장\"?"), ("과", "did you mean \"박 과장\", \"이 과장\" or \"최유리 과장\"?"),
        ("박", "did you mean \"박 과장\"?"), ("xyz", nil),
    ])
    func `a question contains all proposals`(text: String, question: String?) {
        #expect(NearNames.question(for: text, among: ["최유리 과장", "김유리", "박 과장", "이 과장"]) == question)
    }

    @Test func `a hostile name is escaped`() {
        let question = NearNames.question(for: "evil", among: ["\u{1B}[2Jevil"])
        #expect(question?.unicodeScalars.contains { $0 == "\u{1B}" } == false)
    }
}
