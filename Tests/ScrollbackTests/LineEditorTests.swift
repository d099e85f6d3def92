import Testing

@testable import ChatClient

struct LineEditorTests {
    @Test(arguments: [
        "한", "\u{1112}\u{1161}\u{11AB}", "é", "e\u{301}\u{302}", "👨‍👩‍👧‍👦", "🇰🇷", "❤️", "a",
    ])
    func `backspace and delete remove a whole Character, and the cursor skips it whole`(character: String) {
        var editor = line("가\(character)z")
        editor.moveLeft()
        #expect(editor.charactersBeforeCursor == 2)
        editor.eraseBackward()
        #expect(editor.text == "가z")
        editor = line("가\(character)")
        editor.moveLeft()
        #expect(editor.charactersBeforeCursor == 1)
        editor.moveRight()
        #expect(editor.charactersBeforeCursor == 2 && editor.isAtEnd)
        editor.moveLeft()
        editor.eraseForward()
        #expect(editor.text == "가")
    }

    @Test func `text typed in the middle stays together, code point by code point`() {
        var editor = line("a😀")
        editor.moveLeft()
        type("👨‍👩‍👧", into: &editor)
        #expect(editor.text == "a👨‍👩‍👧😀")
        editor.eraseBackward()
        #expect(editor.text == "a😀")
    }

    @Test func `a mark typed at the beginning of a line is kept`() {
        var editor = line("\u{301}a")
        editor.moveToStart()
        editor.moveRight()
        editor.eraseBackward()
        #expect(editor.text == "a")
    }

    @Test(arguments: [("foo bar  ", "foo "), ("foo", ""), ("  ", ""), ("", ""), ("안녕 하세요", "안녕 ")])
    func `erasing a word includes the spaces after it`(text: String, rest: String) {
        var editor = line(text)
        editor.eraseWord()
        #expect(editor.text == rest)
        #expect(editor.isAtEnd)
    }

    @Test func `everything before or after the cursor can be erased`() {
        var editor = line("가나다라")
        editor.moveLeft()
        editor.eraseToStart()
        #expect(editor.text == "라" && editor.charactersBeforeCursor == 0)
        editor = line("가나다라")
        editor.moveToStart()
        editor.moveRight()
        editor.eraseToEnd()
        #expect(editor.text == "가" && editor.isAtEnd)
    }

    @Test func `editing at the ends changes nothing`() {
        var editor = LineEditor()
        editor.moveLeft()
        editor.moveRight()
        editor.eraseBackward()
        editor.eraseForward()
        editor.eraseWord()
        #expect(editor == LineEditor())
    }

    @Test func `the length of a line is limited`() {
        var editor = LineEditor()
        let inserted = (0...LineEditor.maximumScalars).map { _ in editor.insert("가") }
        #expect(inserted.filter { $0 }.count == LineEditor.maximumScalars)
        #expect(inserted.last == false)
        #expect(editor.text.count == LineEditor.maximumScalars)
    }

    private func line(_ text: String) -> LineEditor {
        var editor = LineEditor()
        type(text, into: &editor)
        return editor
    }

    private func type(_ text: String, into editor: inout LineEditor) {
        for scalar in text.unicodeScalars { _ = editor.insert(scalar) }
    }
}
