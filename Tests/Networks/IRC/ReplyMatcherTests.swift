import Testing

@testable import IRCWire

struct ReplyMatcherTests {
    private let request = IRCMessage("CHATHISTORY", "LATEST", "#a", "*", "10")

    /// What the answer is taken from; the number of the line.
    private func reply(_ lines: String..., isLabeled: Bool) -> (ReplyMatcher.Reply, line: Int)? {
        var (matcher, collector) = (ReplyMatcher(), BatchCollector())
        let sent = matcher.request(request, batchType: "chathistory", target: Array("#a"), isLabeled: isLabeled)
        #expect(sent.line == (isLabeled ? "@label=s1 " : "") + "CHATHISTORY LATEST #a * 10")
        for (index, line) in lines.enumerated() {
            for output in collector.receive(IRCMessage(line)) {
                if let reply = matcher.receive(output, mapping: .ascii) {
                    #expect(!matcher.isWaiting)
                    return (reply, index)
                }
            }
        }
        return nil
    }

    @Test func `with labels, another batch of the same room is not the answer`() {
        let found = reply(
            "BATCH +1 chathistory #a", "BATCH -1", "@label=s1 BATCH +2 chathistory #a", "BATCH -2", isLabeled: true)
        #expect(found?.line == 3)
    }

    @Test func `with labels, the answer can be within a labeled-response`() {
        let found = reply(
            "@label=s1 BATCH +1 labeled-response", "@batch=1 BATCH +2 chathistory #a", "@batch=2 PRIVMSG #a :x",
            "BATCH -2",
            "BATCH -1", isLabeled: true)
        guard case .batch(let batch)? = found?.0 else {
            Issue.record("no answer")
            return
        }
        #expect(batch.type == "chathistory" && batch.messages.count == 1)
    }

    @Test func `without labels, the answer is the batch with the type and the folded room`() {
        let found = reply(
            "BATCH +1 chathistory #b", "BATCH -1", "BATCH +2 netsplit #a", "BATCH -2", "BATCH +3 chathistory #A",
            "BATCH -3",
            isLabeled: false)
        #expect(found?.line == 5)
    }

    @Test(arguments: [true, false])
    func `a FAIL of the command is the answer, and of another command is not`(isLabeled: Bool) {
        let found = reply(
            "FAIL JOIN X #a :no", "FAIL CHATHISTORY INVALID_TARGET LATEST #a :Messages could not be retrieved",
            isLabeled: isLabeled)
        #expect(found?.line == 1)
        #expect(found?.0 == .failure(code: "INVALID_TARGET", text: "Messages could not be retrieved"))
    }

    @Test func `a server without the command answers that it is unknown`() {
        #expect(
            reply(":s 421 me CHATHISTORY :Unknown command", isLabeled: false)?.0
                == .failure(code: "421", text: "Unknown command"))
    }

    @Test func `an ACK with the label is an empty answer, and without it is ignored`() {
        #expect(reply("ACK", "@label=s2 ACK", isLabeled: true) == nil)
        #expect(reply("@label=s1 ACK", isLabeled: true)?.0 == .nothing)
    }

    @Test func `without a request, nothing is an answer`() {
        var matcher = ReplyMatcher()
        #expect(matcher.receive(.message(IRCMessage("FAIL CHATHISTORY X :no")), mapping: .ascii) == nil)
        _ = matcher.request(request, batchType: "chathistory", target: nil, isLabeled: false)
        matcher.forget()
        #expect(matcher.receive(.message(IRCMessage("FAIL CHATHISTORY X :no")), mapping: .ascii) == nil)
    }

    @Test func `a broken answer is a failure`() {
        var (matcher, collector) = (ReplyMatcher(), BatchCollector())
        _ = matcher.request(request, batchType: "chathistory", target: Array("#a"), isLabeled: false)
        _ = collector.receive(IRCMessage("BATCH +1 chathistory #a"))
        guard
            case .failure("BROKEN_BATCH", _)? = collector.finish().first.flatMap({
                matcher.receive($0, mapping: .ascii)
            })
        else {
            Issue.record("not told")
            return
        }
    }
}
