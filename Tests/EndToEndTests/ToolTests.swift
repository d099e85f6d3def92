import TestSupport
import Testing

struct ToolTests {
    @Test(
        .enabled(if: Tool.find("zsh") != nil, "needs zsh, which .ci/fetch-tools fetches"))
    func `an unpacked program runs with its own libraries`() async throws {
        let zsh = try #require(Tool.find("zsh"))
        let result = try await zsh.run(["-fc", "print -r -- $NAME"], environment: ["NAME": "민수"])
        #expect(result.output == "민수\n")
    }

    @Test
    func `a missing program is not found`() {
        #expect(Tool.find("scrollback-has-no-such-program") == nil)
    }
}
