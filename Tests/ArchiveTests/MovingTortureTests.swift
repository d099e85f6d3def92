import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Moves
@testable import Reading
@testable import Writing

/// Accounts that are evicted, restored, read and written in a random order.
@Suite(.timeLimit(.minutes(Torture.minutes(2, whole: 20))), .disabled(if: QuickCheck.isRunning))
struct MovingTortureTests {
    private let fixture: ArchiveFixture
    private let accounts: [String]
    /// What every account has been told, and has confirmed.
    private let said = Watched<[String: [String]]>([:])

    init() throws {
        fixture = try ArchiveFixture()
        accounts = (0..<(Torture.isWhole ? 20 : 5)).map { "account \($0)" }
    }

    private func say(_ text: String, in account: String, _ archive: Archive) async throws {
        let writer = try await archive.openWriter(AccountIdentity(name: account, network: "streamchat"))
        let session = try await writer.openSession()
        _ = try await writer.append([.said(text, at: 0, in: session)])
        try await writer.close()
        said.change { $0[account, default: []].append(text) }
    }

    private func read(_ account: String, _ archive: Archive) async throws -> [String] {
        try archive.reading().page(try fixture.query(limit: 1000, accounts: [account])).bodies.sorted()
    }

    private func step(_ number: Int, _ archive: Archive, _ random: inout SeededGenerator) async throws {
        guard let account = accounts.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
            let level = Int.random(in: 1...5, using: &random)
            #expect(try archive.evict(account: account, level: level).state == .cold)
        case 2: #expect(try archive.restore(account: account).state == .hot)
        case 3:
            let told = Set(said.value[account] ?? [])
            #expect(try await told.isSubset(of: read(account, archive)))
        default: try await say("\(number) \(random.next())", in: account, archive)
        }
    }

    /// One alone does the same every time; several meet, each as a process of its own would.
    @Test(arguments: [1, 4])
    func `concurrent random moves leave every message once and no extra file`(count: Int) async throws {
        for account in accounts { try await say("first", in: account, fixture.archive) }
        try await withThrowingTaskGroup { group in
            for task in 0..<count {
                group.addTask {
                    let archive = Archive(folder: fixture.archive.folder)
                    var random = SeededGenerator(seed: UInt64(task))
                    for number in 0..<((Torture.isWhole ? 400 : 60) / count) {
                        do {
                            try await step(number, archive, &random)
                        } catch let error as ArchiveError where error.code == .locked && count > 1 {
                            // Another has had it for five seconds.
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for account in accounts {
            #expect(try await read(account, fixture.archive) == said.value[account]?.sorted())
        }
        #expect(try fixture.archive.check().allSatisfy { $0.state == .fine })
        let folder = fixture.archive.folder + "/accounts"
        for account in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(account)")
                .filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }.sorted()
            #expect(files.count == 3 && files[0].hasSuffix(".sqlite") && files.suffix(2) == ["lock", "writer"])
        }
    }
}
