import TestSupport
import Testing

@testable import IRCWire

struct BatchTests {
    private func outputs(_ lines: String..., limits: BatchCollector.Limits = .init()) -> [BatchCollector.Output] {
        var collector = BatchCollector(limits: limits)
        return lines.flatMap { collector.receive(IRCMessage($0)) } + collector.finish()
    }

    private func texts(_ output: BatchCollector.Output?) -> [String] {
        switch output {
        case .batch(let batch), .broken(let batch, _): batch.messages.map { $0.params.last?.text ?? "" }
        case .message(let message), .stray(let message): [message.params.last?.text ?? ""]
        case nil: []
        }
    }

    @Test func `a message outside any batch passes at once, even while one is open`() {
        let outputs = outputs("BATCH +1 netjoin a b", "PRIVMSG #a :live", "@batch=1 :c JOIN #a", "BATCH :-1")
        #expect(outputs.map(texts) == [["live"], ["#a"]])
        guard case .batch(let batch) = outputs.last else {
            Issue.record("no batch")
            return
        }
        #expect(batch.type == "netjoin" && batch.params == [Array("a"), Array("b")] && batch.isComplete)
    }

    @Test func `a nested batch is returned when its outermost one ends, with messages in place`() {
        let outputs = outputs(
            "@label=l1 BATCH +o labeled-response", "@batch=o PRIVMSG #a :1", "@batch=o BATCH +i chathistory #a",
            "@batch=i PRIVMSG #a :2", "@batch=o PRIVMSG #a :4", "@batch=i PRIVMSG #a :3", "BATCH -i", "BATCH -o")
        #expect(outputs.map(texts) == [["1", "2", "3", "4"]])
        guard case .batch(let batch) = outputs.first else { return }
        #expect(batch.label == Array("l1") && batch.items.count == 3)
    }

    @Test func `batches can interleave, and references are opaque and case-sensitive`() {
        let outputs = outputs(
            "BATCH +A x", "BATCH +a x", "@batch=A PRIVMSG #a :A1", "@batch=a PRIVMSG #a :a1", "@batch=A PRIVMSG #a :A2",
            "BATCH -a", "BATCH -A")
        #expect(outputs.map(texts) == [["a1"], ["A1", "A2"]])
    }

    @Test(arguments: [
        ("chathistory", true), ("znc.in/playback", true), ("netsplit", false), ("labeled-response", false),
    ])
    func `a batch of history counts as a replay`(type: String, isReplay: Bool) {
        #expect(Batch(opening: IRCMessage("BATCH +1 \(type) #a"), items: [], isComplete: true).isReplay == isReplay)
    }

    @Test func `a message that names no open batch is a stray`() {
        let outputs = outputs("@batch=x PRIVMSG #a :1", "BATCH -x", "BATCH +y t", "BATCH -y", "@batch=y PRIVMSG #a :2")
        #expect(outputs.map(texts) == [["1"], [], ["2"]])
        #expect(outputs.last == .stray(IRCMessage("@batch=y PRIVMSG #a :2")))
        #expect(outputs == self.outputs("@batch=x PRIVMSG #a :1", "BATCH +y t", "BATCH -y", "@batch=y PRIVMSG #a :2"))
    }

    @Test func `the rest of a dropped history batch is ignored up to its end, however it nests`() {
        var limits = BatchCollector.Limits()
        limits.messages = 4
        let outputs = outputs(
            "@label=l1 BATCH +o labeled-response", "@batch=o BATCH +i chathistory #a", "@batch=i PRIVMSG #a :1",
            "@batch=i PRIVMSG #a :2", "@batch=i PRIVMSG #a :3", "@batch=i PRIVMSG #a :4", "PRIVMSG #a :live",
            "@batch=i BATCH +m draft/multiline #a", "@batch=m PRIVMSG #a :5", "BATCH -m", "@batch=i PRIVMSG #a :6",
            "BATCH -i", "@batch=o PRIVMSG #a :7", "BATCH -o", "BATCH +i chathistory #a", "@batch=i PRIVMSG #a :8",
            "BATCH -i", "@batch=i PRIVMSG #a :9", limits: limits)
        #expect(outputs.map(texts) == [["1", "2", "3"], ["live"], ["8"], ["9"]])
        guard case .broken(_, .tooLarge) = outputs.first, case .stray = outputs.last else {
            Issue.record("\(outputs)")
            return
        }
    }

    @Test func `batches opened within a dropped one use bounded memory`() {
        var limits = BatchCollector.Limits()
        (limits.messages, limits.open) = (1, 4)
        var collector = BatchCollector(limits: limits)
        for line in ["BATCH +h chathistory #a", "@batch=h PRIVMSG #a :1"] { _ = collector.receive(IRCMessage(line)) }
        for number in 0..<100 { #expect(collector.receive(IRCMessage("@batch=h BATCH +\(number) x")).isEmpty) }
        #expect(collector.isEmpty)
        #expect(collector.receive(IRCMessage("@batch=h PRIVMSG #a :2")).isEmpty)
    }

    @Test func `an inner batch without an end is incomplete`() {
        let outputs = outputs(
            "BATCH +o x", "@batch=o BATCH +i y", "@batch=i PRIVMSG #a :1", "BATCH -o", "@batch=i A :2")
        #expect(outputs.map(texts) == [["1"], ["2"]])
        guard case .batch(let batch) = outputs.first, case .batch(let inner) = batch.items.first else { return }
        #expect(batch.isComplete && !inner.isComplete)
    }

    @Test func `a batch that is open at the end is returned with its messages`() {
        let outputs = outputs("BATCH +o chathistory #a", "@batch=o PRIVMSG #a :1")
        guard case .broken(let batch, .unfinished)? = outputs.first else {
            Issue.record("not told")
            return
        }
        #expect(batch.messages.count == 1 && outputs.count == 1)
    }

    @Test func `reusing a reference breaks its open batch`() {
        let outputs = outputs("BATCH +o x", "@batch=o A :1", "BATCH +o y", "@batch=o A :2", "BATCH -o")
        #expect(outputs.map(texts) == [["1"], ["2"]])
        guard case .broken(_, .reopened)? = outputs.first else {
            Issue.record("not broken")
            return
        }
    }

    @Test func `a batch that is too large is reported once, and its later messages are strays`() {
        var limits = BatchCollector.Limits()
        limits.messages = 3
        let outputs = outputs(
            "BATCH +o x", "@batch=o A :1", "@batch=o A :2", "@batch=o A :3", "@batch=o A :4", "BATCH -o", "A :live",
            limits: limits)
        #expect(outputs.map(texts) == [["1", "2", "3"], ["4"], ["live"]])
        limits = .init()
        limits.bytes = 1000
        let large = "@batch=o A :" + String(repeating: "x", count: 1000)
        guard case .broken(_, .tooLarge)? = self.outputs("BATCH +o x", large, limits: limits).first else {
            Issue.record("not broken")
            return
        }
    }

    @Test func `the number and depth of open batches are limited`() {
        var collector = BatchCollector()
        let wide = (0..<100).flatMap { collector.receive(IRCMessage("BATCH +w\($0) x")) }
        #expect(wide.count == 100 - BatchCollector.Limits().open)
        collector = BatchCollector()
        _ = collector.receive(IRCMessage("BATCH +d0 x"))
        let deep = (1..<20).flatMap { collector.receive(IRCMessage("@batch=d\($0 - 1) BATCH +d\($0) x")) }
        guard case .broken(let batch, .tooLarge)? = deep.first else {
            Issue.record("not broken")
            return
        }
        #expect(batch.messages.isEmpty && collector.isEmpty)
    }

    @Test func `lines of a multiline batch are one message with the tags of the batch`() {
        let outputs = outputs(
            "BATCH +h chathistory #a",
            "@batch=h;msgid=m1;time=2026-11-21T06:23:11.123Z :al!u@h BATCH +1 draft/multiline #a",
            "@batch=1 PRIVMSG #a :hello", "@batch=1 PRIVMSG #a :", "@batch=1 PRIVMSG #a :how is ",
            "@batch=1;draft/multiline-concat PRIVMSG #a :everyone?", "BATCH -1", "@batch=h;msgid=m2 :b PRIVMSG #a :2",
            "BATCH -h")
        guard case .batch(let batch)? = outputs.first, let message = batch.messages.first else { return }
        #expect(message.params == [Array("#a"), Array("hello\n\nhow is everyone?")])
        #expect(message.tag("msgid") == Array("m1") && message.tag("draft/multiline-concat") == nil)
        #expect(message.source?.nick == Array("al") && message.verb == "PRIVMSG" && batch.messages.count == 2)
    }

    @Test func `a multiline batch outside another is one message, and an empty one is none`() {
        let outputs = outputs(
            "@label=x :al!u@h BATCH +1 draft/multiline #a", "@batch=1;msgid=m :al!u@h NOTICE #a :one",
            "@batch=1 NOTICE #a :two", "BATCH -1", "BATCH +2 draft/multiline #a", "BATCH -2")
        #expect(outputs.map(texts) == [["one\ntwo"], []])
    }

    @Test
    func `a multiline batch over 64 KiB gives its lines as messages, the first with its id`() {
        let line = "@batch=1 PRIVMSG #a :" + String(repeating: "x", count: 8000)
        var collector = BatchCollector()
        var outputs = collector.receive(IRCMessage("@msgid=m1;time=T :al!u@h BATCH +1 draft/multiline #a"))
        for _ in 0..<9 { outputs += collector.receive(IRCMessage(line)) }
        outputs += collector.receive(IRCMessage("BATCH -1"))
        guard case .batch(let batch)? = outputs.first else {
            Issue.record("no batch")
            return
        }
        #expect(batch.messages.map { $0.tag("msgid") } == [Array("m1")] + Array(repeating: nil, count: 8))
        #expect(batch.messages.allSatisfy { $0.tag("time") == Array("T") && $0.source?.nick == Array("al") })
    }

    @Test func `a broken multiline batch gives what arrived, without an id`() {
        var collector = BatchCollector()
        for line in ["@msgid=m;+reply=1 :al!u@h BATCH +1 draft/multiline #a", "@batch=1 :al!u@h PRIVMSG #a :one"] {
            _ = collector.receive(IRCMessage(line))
        }
        guard case .broken(let batch, .unfinished)? = collector.finish().first else {
            Issue.record("not broken")
            return
        }
        #expect(batch.messages.map { $0.param(1).text } == ["one"])
        #expect(batch.messages[0].tag("msgid") == nil && batch.messages[0].replyTo == Array("1"))
    }

    @Test func `a multiline batch can split a character and an action`() {
        var collector = BatchCollector()
        let (start, end) = (Array("가".utf8).prefix(1), Array("가".utf8).dropFirst())
        _ = collector.receive(IRCMessage(":al!u@h BATCH +1 draft/multiline #a"))
        for (tags, text) in [
            ("", [0x01] + Array("ACTION ") + start), (";draft/multiline-concat", Array(end)), ("", Array("b\u{1}")),
        ] {
            let message = try? IRCMessage(line: Array("@batch=1\(tags) :al!u@h PRIVMSG #a :") + text)
            if let message { _ = collector.receive(message) }
        }
        guard case .batch(let batch)? = collector.receive(IRCMessage("BATCH -1")).first else { return }
        #expect(CTCPMessage(batch.messages[0].param(1))?.body == Array("가\nb"))
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `every message in a batch is returned once`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (collector, outputs, sent) = (BatchCollector(), [BatchCollector.Output](), 0)
        for _ in 0..<200 {
            let (name, other) = (Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random))
            let line = ["BATCH +\(name) t", "@batch=\(other) BATCH +\(name) t", "BATCH -\(name)"].randomElement(
                using: &random)
            if Bool.random(using: &random), let line {
                outputs += collector.receive(IRCMessage(line))
            } else {
                sent += 1
                outputs += collector.receive(IRCMessage("@batch=\(name) A :\(sent)"))
            }
        }
        outputs += collector.finish()
        #expect(outputs.flatMap(texts).compactMap(Int.init).sorted() == Array(1..<(sent + 1)))
    }
}
