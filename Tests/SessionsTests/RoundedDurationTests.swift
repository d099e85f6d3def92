import Testing

@testable import Sessions

struct RoundedDurationTests {
    @Test(arguments: [
        (Duration.zero, "0 ms"), (.milliseconds(250), "250 ms"), (.milliseconds(1500), "1.5 s"), (.seconds(2), "2 s"),
        (.seconds(64.42202499999999), "64 s"), (.seconds(90), "90 s"), (.seconds(600), "10 min"),
        (.seconds(Int64.max), "153722867281 min"),
    ])
    func `durations in logs and errors are rounded`(duration: Duration, text: String) {
        #expect(duration.rounded == text)
    }
}
