import Foundation
import TestSupport
import Testing

/// `scrollback import --me`: who the phone's owner is.
@Suite(.timeLimit(.minutes(10)))
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

    @Test func `the owner gets the name and is the account's own person, and their messages are read`() async throws {
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

    @Test func `without a name the word stays and the report says so once; named later, nothing is stored twice`()
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

    @Test func `later imports use the name that the account has, also for another word`() async throws {
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

    @Test func `a name that nobody has is told`() async throws {
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
