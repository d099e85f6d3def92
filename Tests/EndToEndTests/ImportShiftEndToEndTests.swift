import TestSupport
import Testing

/// A second import of a log with another time zone.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ImportShiftEndToEndTests {
    private static let chat = """
        가족 님과 카카오톡 대화
        저장한 날짜 : 2026. 11. 22. 오후 11:01

        2026. 11. 21. 오전 9:00, 민수 : 기차가 늦었어
        2026. 11. 21. 오전 9:01, 지아 : 역에서 만나
        2026. 11. 21. 오전 9:01, 민수 : 네
        2026. 11. 21. 오전 9:04, 지아 : 도착했어\n
        """

    private func program() async throws -> Program {
        let scrollback = try Program()
        try scrollback.write(Self.chat, to: "가족.txt")
        #expect(try await scrollback("import", "가족.txt", "-a", "kakaotalk", "--timezone", "Asia/Seoul").status == 0)
        return scrollback
    }

    private func count(_ program: Program) async throws -> Int {
        try await program("history", "kakaotalk/가족", "--format", "jsonl").output.split(separator: "\n").count
    }

    @Test(arguments: [[], ["--dry-run"]])
    func `an import with another zone stops before storing duplicates, and names the right zone`(
        options: [String]
    ) async throws {
        let scrollback = try await program()
        let again = ["import", "가족.txt", "-a", "kakaotalk", "--timezone", "Europe/Berlin"] + options
        let result = try await scrollback.start(arguments: again).result()
        #expect(result.status == 1)
        #expect(result.errors.contains("stopped before anything was stored\n"), "\(result.errors)")
        #expect(
            result.errors.contains(
                "scrollback: kakaotalk/가족: the archive has these messages already, 8 hours earlier, as if from another "
                    + "time zone; on 2026-11-21, its times fit if they are read as +09:00; give that with --timezone, or a "
                    + "place such as Europe/Berlin if it has summer time; to store them a second time: --allow-shift "
                    + "[shifted]\n"), "\(result.errors)")
        #expect(try await count(scrollback) == 4)
    }

    @Test func `an import with the same zone, or another one on request, stores its messages`() async throws {
        let scrollback = try await program()
        try scrollback.write(Self.chat + "2026. 11. 21. 오전 9:05, 민수 : 보여\n", to: "가족.txt")
        let same = ["import", "가족.txt", "-a", "kakaotalk", "--timezone", "+09:00"]
        #expect(try await scrollback.start(arguments: same).result().status == 0)
        #expect(try await count(scrollback) == 5)
        let other = ["import", "가족.txt", "-a", "kakaotalk", "--timezone", "UTC", "--allow-shift"]
        #expect(try await scrollback.start(arguments: other).result().status == 0)
        #expect(try await count(scrollback) == 10)
    }
}
