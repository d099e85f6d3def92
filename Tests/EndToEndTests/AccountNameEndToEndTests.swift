import TestSupport
import Testing

/// Names of accounts on the command line.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct AccountNameEndToEndTests {
    private func archive(_ accounts: [String]) async throws -> Program {
        let scrollback = try Program()
        let line = """
            {"id": "2026-11-21T06:00:00.000000Z", "room": "lobby", "kind": "message", "sender": {"name": "alice"}, "body": "hi"}

            """
        try scrollback.write(line, to: "chat.jsonl")
        for account in accounts {
            #expect(try await scrollback("import", "jsonl", "chat.jsonl", "-a", account).status == 0)
        }
        return scrollback
    }

    @Test(arguments: [
        ["rooms", "-a", "whatsap"], ["unread", "-a", "whatsap"], ["sql", "SELECT 1", "-a", "whatsap"],
        ["history", "--all", "-a", "whatsap"], ["status", "-a", "whatsap"], ["archive", "check", "whatsap"],
        ["archive", "compress", "whatsap"],
    ])
    func `an unknown account is an error that suggests the nearest name`(words: [String]) async throws {
        let scrollback = try await archive(["whatsapp"])
        let run = try await scrollback.start(arguments: words).result()
        let status: Int32 = words[0] == "history" ? 2 : 1
        #expect(run.status == status && run.errors.contains(#"no account "whatsap" in "#), "\(run.errors)")
        let advice = #"; did you mean "whatsapp"? "scrollback accounts" lists them [unknown-account]"#
        #expect(run.errors.contains(advice), "\(run.errors)")
    }

    @Test func `status shows only the named accounts`() async throws {
        let scrollback = try await archive(["whatsapp", "signal"])
        let run = try await scrollback("status", "-a", "signal")
        #expect(run.status == 0 && run.output.contains("signal") && !run.output.contains("whatsapp"), "\(run.output)")
        let checked = try await scrollback("status", "--check", "-a", "signal")
        #expect(checked.status == 64 && checked.errors.contains("--check looks at every account"), "\(checked.errors)")
    }
}
