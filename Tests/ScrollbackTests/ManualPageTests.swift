import Options
import Testing

@testable import Scrollback

struct ManualPageTests {
    @Test func `the synopsis has serve beside its commands, and no group without an action`() throws {
        let page = ManualPage(CommandPath(ScrollbackCommand.self, []), date: "2026-11-21").text
        #expect(page.contains(".B \"scrollback serve\"\n[OPTION ...]\n"))
        #expect(page.contains(".B \"scrollback serve token add\"\n"))
        #expect(!page.contains(".B \"scrollback serve token\"\n") && !page.contains(".B \"scrollback archive\"\n"))
    }

    @Test func `the date is the given one or today's`() {
        #expect(ManualPage.date([ManualPage.request, "2026-11-21"]) == "2026-11-21")
        #expect(ManualPage.date([ManualPage.request]).wholeMatch(of: /20\d\d-\d\d-\d\d/) != nil)
    }
}
