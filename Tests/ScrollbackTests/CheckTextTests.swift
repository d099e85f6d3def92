import ChatModel
import Testing

@testable import Rendering

struct CheckTextTests {
    private func text(_ check: AccountCheck) -> String {
        CheckText(style: .plain).text(check)
    }

    @Test(
        arguments: [
            (0, "0 messages"), (1, "1 message"), (999, "999 messages"), (1203, "1,203 messages"),
            (123_456_789, "123,456,789 messages"),
        ] as [(Int64, String)])
    func `a sound account is one line`(messages: Int64, counted: String) {
        var check = sampleCheck
        (check.state, check.problems, check.messages) = (.fine, [], messages)
        #expect(text(check) == "demo: fine (\(counted), 21 checks)\n")
    }

    @Test func `each problem has a line, with advice below those that share it`() {
        var check = sampleCheck
        check.problems = [
            AccountCheck.Problem(check: "a", detail: "one", advice: "do this"),
            AccountCheck.Problem(check: "b", detail: "two", advice: "do this"),
            AccountCheck.Problem(check: "c", detail: "three\u{1B}", advice: "do that"),
        ]
        #expect(
            text(check) == """
                demo: wrong (3 messages, 21 checks)
                  a: one
                  b: two
                    what to do: do this
                  c: three\\u{1B}
                    what to do: do that

                """)
    }

    @Test func `an account without a readable name is shown by its folder`() {
        var check = sampleCheck
        (check.account, check.messages, check.state) = (nil, nil, .unchecked)
        #expect(text(check).hasPrefix("data/accounts/demo-7f3k2a: not checked (21 checks)\n  file: "))
    }
}
