import Rendering
import Testing

@Suite struct HTMLTests {
    @Test func `a text is escaped in an element and in an attribute, and HTML is not`() {
        let text = "<b>&\"'"
        let element: HTML = "<i title=\"\(text)\">\(text)</i>"
        let escaped = "&lt;b&gt;&amp;&quot;&#39;"
        #expect(element.text == "<i title=\"\(escaped)\">\(escaped)</i>")
        #expect(("<p>\(element)</p>" as HTML).text == "<p>\(element.text)</p>")
    }

    @Test func `other values are escaped as their texts are`() {
        struct Odd: CustomStringConvertible { let description = "<1>" }
        #expect(("\(Odd()) \(12) \("a<b".dropFirst())" as HTML).text == "&lt;1&gt; 12 &lt;b")
    }

    @Test(arguments: [true])
    func `a literal within a literal is HTML, and a text from a variable is not`(isOpen: Bool) {
        let name = "<s>"
        #expect(("<details\(isOpen ? " open=\"\"" : "")>" as HTML).text == "<details open=\"\">")
        #expect(("\(isOpen ? name : "<i>")" as HTML).text == "&lt;s&gt;")
    }

    @Test func `parts are joined as they are`() {
        let parts = ["a", "<", "b"].map { "<i>\($0)</i>" as HTML }
        #expect(parts.joined(separator: "<br>").text == "<i>a</i><br><i>&lt;</i><br><i>b</i>")
        #expect((parts[0] + parts[1]).text == parts.prefix(2).joined().text)
        #expect([HTML]().joined().isEmpty)
    }

    @Test(arguments: ["http://a.example/?b=1&c", "HTTPS://a.example", "irc://a.example/x", "ircs://a.example"])
    func `the address of a link is escaped`(link: String) {
        let html: HTML = "<a href=\"\(link: link)\">"
        #expect(html == "<a href=\"\(link)\">")
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", " http:x", "x", "", "//a.example", "file:///etc/passwd",
    ])
    func `an address that a browser could run is left out`(link: String) {
        #expect(("<a href=\"\(link: link)\">" as HTML).text == "<a href=\"\">")
    }
}
