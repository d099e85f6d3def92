import Foundation
import TestSupport
import Testing

/// `scrollback import --me`: who the phone's owner is.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ImportOwnerEndToEndTests {
    private static let phone = """
        가족 님과 카카오톡 대화
        저장한 날짜 : 2026. 11. 22. 오후 11:01

        2026. 11. 21. 오후 1:01, 나 : 안녕
        2026. 11. 21. 오후 1:02, 민수 : hi
        2026. 11. 21. 오후 1:03, 나 : 응

        """
    private static let android = "2026년 11월 21일 오후 1:03, 회원님 : 응\n2026년 11월 21일 오후 1:04, 회원님 : 그래\n"
    private static let advice = "\"나\" is the phone's owner; to name them: --me NAME\n"

    private func program() throws -> Program {
        let scrollback = try Program()
        try scrollback.write(Self.phone, to: "iphone.txt")
        try scrollback.write(Self.android, to: "android.txt")
        return scrollback
    }

    /// Of each message, whether the account's own person sent it.
    private func isOwn(_ scrollback: Program) async throws -> [Bool] {
        try await scrollback("history", "old/가족", "--format", "jsonl").output.split(separator: "\n").map {
            $0.contains(#""is_self": true"#)
        }
    }

    @Test func `the owner gets the name, is the account's own person, and has read messages`() async throws {
        let scrollback = try program()
        let result = try await scrollback("import", "iphone.txt", "-a", "old", "--me", "지아", "--unread")
        #expect(result.status == 0)
        let summary = "read 6 lines: 3 new messages, 0 already stored, 0 invalid\n  into old/가족 (new account), "
        #expect(result.errors.contains(summary), "\(result.errors)")
        #expect(
            result.errors.hasSuffix(
                """
                  3 lines continue a message, or are a date, a title, a note of the program or empty\n
                """), "\(result.errors)")
        #expect(try await scrollback.said(in: "old/가족") == ["지아: 안녕", "민수: hi", "지아: 응"])
        #expect(try await isOwn(scrollback) == [true, false, true])
        #expect(try await scrollback("unread", "--format", "csv").output.contains(",1"))
    }

    @Test func `from:me finds nobody until the owner has a name, and explains how to set it`() async throws {
        let scrollback = try Program()
        let chat = "WhatsApp Chat with Alice.txt"
        try scrollback.write("21/11/2026, 06:23 - Alice: hi\n21/11/2026, 06:24 - 민수: 안녕\n", to: chat)
        let missing = "no message is known as yours; to say who you are: "
        let planned = try await scrollback("import", chat, "-a", "old", "--dry-run")
        #expect(planned.errors.hasSuffix("\n\(missing)--me NAME\n"), "\(planned.errors)")
        let first = try await scrollback("import", chat, "-a", "old")
        let next = "scrollback archive me old NAME\n"
        #expect(first.status == 0 && first.errors.hasSuffix("\n\(missing)\(next)"), "\(first.errors)")
        let nobody = try await scrollback("archive", "me", "old")
        #expect(
            nobody.errors == "no message of the account is known as yours; to say who you are: \(next)", "\(nobody)")
        let unknown = try await scrollback("search", "from:me")
        let reason = "account \"old\" does not say who you are; to name yourself: scrollback archive me old NAME\n"
        #expect(unknown.status == 1 && unknown.errors.hasSuffix(reason), "\(unknown)")
        #expect(try await scrollback("archive", "me", "old", "민수").status == 0)
        let found = try await scrollback("search", "from:me", "안녕")
        #expect(found.status == 0 && found.output.contains("안녕"), "\(found)")
        let again = try await scrollback("import", chat, "-a", "old")
        #expect(!again.errors.contains(missing), "\(again.errors)")
        #expect(try await scrollback("search", "from:me", "-c").output == "1\n")
        let word = try await scrollback("search", "from:나")
        #expect(word.status == 1 && word.errors.contains("your own messages: from:me"), "\(word)")
    }

    @Test func `without a name the word stays, and naming it later stores nothing twice`()
        async throws
    {
        let scrollback = try program()
        let first = try await scrollback("import", "iphone.txt", "-a", "old")
        #expect(first.errors.components(separatedBy: Self.advice).count == 2, "\(first.errors)")
        #expect(try await scrollback.said(in: "old/가족") == ["나: 안녕", "민수: hi", "나: 응"])
        let arguments = ["import", "iphone.txt", "-a", "old", "--me", "지아"]
        let known = "read 6 lines: 0 new messages, 3 already stored, 0 invalid"
        let planned = try await scrollback.start(arguments: arguments + ["--dry-run"]).result()
        #expect(planned.errors.contains(known + "; dry run, nothing stored\n"), "\(planned.errors)")
        #expect(try await scrollback.said(in: "old/가족") == ["나: 안녕", "민수: hi", "나: 응"])
        let named = try await scrollback.start(arguments: arguments).result()
        #expect(named.errors.contains(known + "\n"), "\(named.errors)")
        #expect(try await scrollback.said(in: "old/가족") == ["지아: 안녕", "민수: hi", "지아: 응"])
        #expect(try await isOwn(scrollback) == [true, false, true])
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `later imports use the account's name, even for another word`() async throws {
        let scrollback = try program()
        _ = try await scrollback("import", "iphone.txt", "-a", "old", "--me", "지아")
        let rows = try AccountRows(scrollback, account: "old").all
        let again = try await scrollback("import", "iphone.txt", "-a", "old")
        #expect(
            again.errors.contains("read 6 lines: 0 new messages, 3 already stored, 0 invalid\n"), "\(again.errors)")
        #expect(try AccountRows(scrollback, account: "old").all == rows)
        let android = try await scrollback("import", "android.txt", "-a", "old", "--room", "가족")
        #expect(
            android.errors.contains("read 2 lines: 1 new message, 1 already stored, 0 invalid\n"), "\(android.errors)")
        #expect(try await scrollback.said(in: "old/가족") == ["지아: 안녕", "민수: hi", "지아: 응", "지아: 그래"])
    }

    @Test func `the exports of two devices become one history`() async throws {
        let scrollback = try program()
        try scrollback.write(
            """
            Date,User,Message
            2026-11-21 13:02:40,"민수","hi"
            2026-11-21 13:03:05,"지아","응"
            2026-11-21 13:05:00,"민수","내일"

            """, to: "KakaoTalk_Chat_가족_2026-11-22-12-40-45.csv")
        _ = try await scrollback("import", "iphone.txt", "-a", "old", "--me", "지아")
        let rows = try await scrollback("import", "KakaoTalk_Chat_가족_2026-11-22-12-40-45.csv", "-a", "old")
        #expect(rows.errors.contains("read 4 lines: 1 new message, 2 already stored, 0 invalid\n"), "\(rows.errors)")
        #expect(try await scrollback.said(in: "old/가족") == ["지아: 안녕", "민수: hi", "지아: 응", "민수: 내일"])
    }

    @Test
    func `a name that the archive already has can be the owner's, and archive me lists both`()
        async throws
    {
        let scrollback = try program()
        try scrollback.write("2026년 11월 20일 오후 5:01, 지아 : 모레\n2026년 11월 20일 오후 5:02, 하나 : 응\n", to: "other.txt")
        _ = try await scrollback("import", "iphone.txt", "-a", "old")
        _ = try await scrollback("import", "other.txt", "-a", "old", "--room", "학교")
        let rows = try await scrollback.said(in: "old/가족")
        #expect(rows == ["나: 안녕", "민수: hi", "나: 응"])
        let named = try await scrollback("import", "iphone.txt", "-a", "old", "--me", "지아")
        #expect(named.errors.contains("read 6 lines: 0 new messages, 3 already stored, 0 invalid\n"), "\(named.errors)")
        #expect(
            named.errors.hasSuffix(
                "\n\"지아\" is 2 people of the account; to make them one, see: scrollback archive me old\n"),
            "\(named.errors)")
        #expect(try await scrollback.said(in: "old/가족") == ["지아: 안녕", "민수: hi", "지아: 응"])
        #expect(try await scrollback.said(in: "old/학교") == ["지아: 모레", "하나: 응"])
        #expect(try await isOwn(scrollback) == [true, false, true])
        let own = try await scrollback("archive", "me", "old")
        #expect(own.output.split(separator: "\n").count == 2 && own.output.contains("지아 (id:"), "\(own.output)")
        #expect(own.errors.contains("names given: 지아\n"), "\(own.errors)")
        let listed = try await scrollback("archive", "me", "old", "--format", "json")
        #expect(listed.errors.isEmpty && listed.output.matches(of: /"is_self": true/).count == 2, "\(listed.output)")
        #expect(listed.output.contains(#""totals": {"given": ["지아"], "configured": []}"#), "\(listed.output)")
        let command = try #require(own.errors.split(separator: "scrollback archive merge ").last)
        let words = command.split(whereSeparator: \.isWhitespace).map(String.init)
        let proposed = try await scrollback("archive", "merge", "old")
        #expect(
            proposed.output.hasPrefix("one name, 지아: ") && proposed.output.split(separator: "\n").count == 1
                && proposed.output.hasSuffix(" \(words.dropLast().joined(separator: " "))\n"), "\(proposed.output)")
        let merged = try await scrollback.start(arguments: ["archive", "merge"] + words).result()
        #expect(merged.status == 0, "\(merged.errors)")
        #expect(try await scrollback("archive", "me", "old").output.split(separator: "\n").count == 1)
        for file in ["iphone.txt", "other.txt"] {
            let room = file == "other.txt" ? ["--room", "학교"] : []
            let again = try await scrollback.start(arguments: ["import", file, "-a", "old"] + room).result()
            #expect(again.errors.contains(": 0 new messages, "), "\(again.errors)")
        }
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test(arguments: ["철수", "민수"])
    func `a wrong name is replaced, by an import or without a file`(wrong: String) async throws {
        let scrollback = try program()
        _ = try await scrollback("import", "iphone.txt", "-a", "old", "--me", wrong)
        #expect(try await isOwn(scrollback) == [true, wrong == "민수", true])
        let again = try await scrollback("import", "iphone.txt", "-a", "old", "--me", "지아")
        #expect(again.errors.contains("read 6 lines: 0 new messages, 3 already stored, 0 invalid\n"), "\(again.errors)")
        #expect(try await scrollback.said(in: "old/가족") == ["지아: 안녕", "민수: hi", "지아: 응"])
        #expect(try await isOwn(scrollback) == [true, false, true])
        #expect(try await scrollback("archive", "me", "old", "zia", wrong).status == 0)
        #expect(try await scrollback.said(in: "old/가족") == ["zia: 안녕", "민수: hi", "zia: 응"])
        #expect(try await isOwn(scrollback) == [true, wrong == "민수", true])
        #expect(try await scrollback("archive", "me", "old", "--none").status == 0)
        #expect(try await scrollback.said(in: "old/가족") == ["나: 안녕", "민수: hi", "나: 응"])
        #expect(try await isOwn(scrollback) == [true, false, true], "the export's own word stays")
        #expect(try await scrollback("archive", "me", "nobody", "x").status != 0)
    }

    @Test
    func
        `a name of somebody who writes beside the export's word is reported as not the owner's, and no merge is proposed`()
        async throws
    {
        let scrollback = try program()
        let doubt =
            "\n\"민수\" is probably not your name: 민수 and 나 (you) both write in 가족; "
            + "to replace it: scrollback archive me old NAME\n"
        let planned = try await scrollback("import", "iphone.txt", "-a", "old", "--me", "민수", "--dry-run")
        #expect(planned.errors.hasSuffix(doubt), "\(planned.errors)")
        let result = try await scrollback("import", "iphone.txt", "-a", "old", "--me", "민수")
        #expect(result.status == 0 && result.errors.hasSuffix(doubt), "\(result.errors)")
        #expect(!result.errors.contains("to make them one"), "\(result.errors)")
        let own = try await scrollback("archive", "me", "old")
        #expect(
            own.errors.contains("are probably two people; to replace a wrong name: scrollback archive me old NAME\n"),
            "\(own.errors)")
        #expect(!own.errors.contains("archive merge"), "\(own.errors)")
        #expect(try await scrollback("archive", "merge", "old").output.isEmpty)
    }

    @Test func `the configuration names an account's owner, even for imports`() async throws {
        let scrollback = try program()
        try scrollback.write(
            """
            [[account]]
            name = "libera"
            network = "irc"
            server = "ircs://irc.example.org"
            nick = "archiver"
            rooms = ["#example"]
            me = ["alice", "Alice_"]

            """, to: "scrollback.toml")
        try scrollback.write("[2026-11-21 06:23:11] <alice_> hi\n[2026-11-21 06:23:12] <bob> ho\n", to: "#example.log")
        let result = try await scrollback("import", "znc", "#example.log", "-a", "libera", "--timezone", "UTC")
        #expect(result.status == 0, "\(result.errors)")
        let page = try await scrollback("history", "libera/#example", "--format", "jsonl").output
        #expect(page.split(separator: "\n").map { $0.contains(#""is_self": true"#) } == [true, false])
        #expect(try await scrollback("archive", "me", "libera").errors == "names in the configuration: alice, Alice_\n")
    }

    @Test func `the configuration names the owner of live messages, and a reload applies it`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let account = try String(contentsOfFile: scrollback.home + "/scrollback.toml", encoding: .utf8)
        try scrollback.write(account + "me = [\"bob\"]\n", to: "scrollback.toml")
        let bob = try await ChatSocket.joined("bob", port: server.port)
        let listener = try await scrollback.startListener(witness: bob)
        try bob.send("MSG::hi::END")
        func bobBecomes(_ isSelf: Bool) async throws {
            var text = ""
            try await eventually("bob's is_self is \(isSelf)", state: { text }) {
                text = try await scrollback("history", "a1/lobby", "--format", "jsonl").output
                let said = text.split(separator: "\n").filter { $0.contains(#""body": "hi""#) }
                return said.count == 1 && said[0].contains(#""name": "bob", "is_self": \#(isSelf)"#) ? true : nil
            }
        }
        try await bobBecomes(true)
        try scrollback.write(account, to: "scrollback.toml")
        listener.signal(SIGHUP)
        try await bobBecomes(false)
        #expect(try await scrollback("archive", "me", "a1", "bob").status == 0, "through the listener")
        try await bobBecomes(true)
        #expect(try await listener.stop().status == 0)
    }

    @Test func `an own name that nobody has is reported`() async throws {
        let scrollback = try program()
        try scrollback.write("2026년 11월 21일 오후 1:03, 민수 : 응\n", to: "other.txt")
        let result = try await scrollback("import", "other.txt", "-a", "old", "--room", "가족", "--me", "지아")
        #expect(result.errors.contains(": 1 new message, 0 already stored, 0 invalid\n"), "\(result.errors)")
        #expect(
            result.errors.hasSuffix("\n--me was not used: no message is by 지아, and none by 나 or you\n"),
            "\(result.errors)")
    }

    @Test func `a name without letters is refused`() async throws {
        let scrollback = try program()
        let result = try await scrollback("import", "iphone.txt", "-a", "old", "--me", " ")
        #expect(result.status == 64 && result.errors.contains("--me needs a name"))
    }
}
