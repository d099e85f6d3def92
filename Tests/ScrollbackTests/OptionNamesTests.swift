import Operations
import Testing

struct OptionNamesTests {
    @Test(arguments: [
        ("--after must be earlier than --before", "after must be earlier than before"),
        ("name a room, or give -a ACCOUNT or --all", "name a room, or give account ACCOUNT or all"),
        ("or merge them: -a ko -a ubuntu", "or merge them: account ko account ubuntu"),
        (
            "\"scrollback history ROOM --ids\" prints them; --day",
            "\"scrollback history ROOM --ids\" prints them; day"
        ),
        ("try: scrollback show X -a wa --thread, or --limit", "try: scrollback show X -a wa --thread, or limit"),
        ("no room \"a--b -a c\"", "no room \"a--b -a c\""),
    ])
    func `parameter names are replaced in a text, except in commands and quotes`(text: String, expected: String) {
        #expect(OptionNames.replaced(in: text) == expected)
    }
}
