import Logging
import Testing

@testable import Serving

struct UnsentBytesTests {
    private let unsent = UnsentBytes(
        UnsentBytes.Limits(ofToken: 100, ofTokens: 150, ofOwner: 100),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    private func code(_ share: Share) -> String? {
        do {
            try unsent.check(share)
            return nil
        } catch {
            return (error as? Problem)?.code
        }
    }

    @Test func `only a token with unread answers is refused`() {
        unsent.add(100, of: .token("a"))
        #expect(code(.token("a")) == "unread" && code(.token("b")) == nil && code(.owner) == nil)
        unsent.remove(1, of: .token("a"))
        #expect(code(.token("a")) == nil)
    }

    @Test func `several tokens that do not read block all tokens, but not the owner`() {
        unsent.add(99, of: .token("a"))
        unsent.add(99, of: .token("b"))
        #expect(code(.token("c")) == "busy" && code(.owner) == nil)
        unsent.add(100, of: .owner)
        #expect(code(.owner) == "unread")
    }

    @Test func `held bytes count until they are released`() {
        do {
            let hold = unsent.hold(200, of: .owner)
            #expect(code(.owner) == "unread")
            withExtendedLifetime(hold) {}
        }
        #expect(code(.owner) == nil)
    }
}
