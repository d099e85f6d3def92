import Archive
import ChatModel
import Checks
import Foundation
import LogFormats
import Reading
import TestSupport
import Testing
import Writing

@testable import Importing

/// Exports of one chat from several devices, which call their owner by a word or by a name.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct OwnNameImportTests {
    private let folder: TemporaryFolder
    private let archive: Archive
    private static let account = AccountIdentity(name: "old", network: "log")

    init() throws {
        folder = try TemporaryFolder()
        archive = Archive(folder: folder.path + "/data")
    }

    /// A program's export.
    enum Device: String, CaseIterable, Sendable {
        case iPhone, android, english, mac, windows, line, whatsApp, table

        /// True if the owner is a word.
        var hasWord: Bool { [.iPhone, .android, .english, .table].contains(self) }

        /// The owner's name in the export.
        var owner: String {
            switch self {
            case .iPhone: "나"
            case .android: "회원님"
            case .english: "You"
            case .mac, .windows, .line, .whatsApp, .table: "지아"
            }
        }

        var format: any LogFormats.LogFormat.Type {
            switch self {
            case .iPhone, .android, .english, .mac, .windows: KakaoTalkFormat.self
            case .line: LINEFormat.self
            case .whatsApp: WhatsAppFormat.self
            case .table: CSVFormat.self
            }
        }

        var beginning: String {
            switch self {
            case .iPhone, .android, .english, .whatsApp: ""
            case .mac: "Date,User,Message\n"
            case .windows: "가족 님과 카카오톡 대화\n--------------- 2026년 11월 21일 토요일 ---------------\n"
            case .line: "[LINE] 家族とのトーク履歴\n\n2026/11/21(土)\n"
            case .table: "Date,User,Own,Message\n"
            }
        }

        func line(_ said: Said) -> String {
            let (hour, minute) = (said.minute / 60, said.minute % 60)
            let clock = Self.two(hour) + ":" + Self.two(minute)
            let (half, short) = (hour < 12, "\((hour + 11) % 12 + 1):\(Self.two(minute))")
            let name = said.isOwn ? owner : said.name
            return switch self {
            case .iPhone: "2026. 11. 21. \(half ? "오전" : "오후") \(short), \(name) : \(said.text)"
            case .android: "2026년 11월 21일 \(half ? "오전" : "오후") \(short), \(name) : \(said.text)"
            case .english: "November 21, 2026, \(short) \(half ? "AM" : "PM"), \(name) : \(said.text)"
            case .mac: "2026-11-21 \(clock):00,\"\(name)\",\"\(said.text)\""
            case .windows: "[\(name)] [\(clock)] \(said.text)"
            case .line: "\(clock)\t\(name)\t\(said.text)"
            case .whatsApp: "21/11/2026, \(clock) - \(name): \(said.text)"
            case .table: "2026-11-21 \(clock),\(name),\(said.isOwn ? 1 : 0),\(said.text)"
            }
        }

        private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    }

    struct Said: Sendable {
        let minute: Int
        let name: String
        let text: String
        var isOwn: Bool { name == "지아" }
    }

    /// A chat with several messages in some minutes, of which some are equal.
    private static func chat(_ generator: inout SeededGenerator) -> [Said] {
        var minute = 600
        return (0..<40).map { number in
            minute += Int.random(in: 0...2, using: &generator)
            let name = ["지아", "지아", "민수", "하나"].randomElement(using: &generator) ?? ""
            let text = ["응", "ㅋㅋ", "message \(number)"].randomElement(using: &generator) ?? ""
            return Said(minute: minute, name: name, text: text)
        }
    }

    /// Returns a part of the chat that begins with a minute.
    private static func part(of chat: [Said], _ generator: inout SeededGenerator) -> [Said] {
        let first = chat.randomElement(using: &generator)?.minute ?? 0
        let count = Int.random(in: 1...chat.count, using: &generator)
        return Array(chat.drop { $0.minute < first }.prefix(count))
    }

    /// Reads an export as `import` does: without `--me`, with the names that the archive has.
    private func lines(_ device: Device, _ said: [Said], me: [String]) async throws -> [ImportedLine] {
        var options = ImportOptions(format: device.format, room: "가족", zone: .gmt, me: me)
        if device == .table {
            options.choices.columns = try ColumnMapping("time=Date,sender=User,own=Own,text=Message")
        }
        if me.isEmpty { options.ownNames = try archive.ownNames(in: "old", from: .command) }
        let file = ImportFile(container: "", name: "x", size: 0)
        var reader = SourceReader(
            ImportSource(file, as: device.format), options: options, now: RandomSource.now)
        reader.begin(file)
        let text = device.beginning + said.map(device.line).joined(separator: "\n") + "\n"
        let lines = try reader.readChunk(Array(text.utf8)[...]) + reader.endFile() + reader.finish()
        return lines.map(\.content)
    }

    @discardableResult
    private func store(_ device: Device, _ said: [Said], me: [String] = []) async throws -> ImportTally {
        let lines = try await lines(device, said, me: me)
        #expect(lines.count { if case .message = $0 { true } else { false } } == said.count, "\(device)")
        let writer = try await archive.openWriter(Self.account)
        let tally = try await writer.importLines(lines, at: RandomSource.now)
        try await writer.close()
        return tally
    }

    private func stored() async throws -> [Message] {
        let query = try MessageQuery(
            scope: .accounts(["old"]), anchor: .latest, limit: 1000, names: .now)
        return try archive.reading().page(query).messages
    }

    private func own() async throws -> Set<String> {
        Set(try archive.reading().users(scope: .accounts(["old"])).filter(\.isSelf).map(\.name))
    }

    private static let chat = [
        Said(minute: 781, name: "지아", text: "안녕"), Said(minute: 782, name: "민수", text: "hi"),
        Said(minute: 783, name: "지아", text: "응"), Said(minute: 783, name: "지아", text: "응"),
    ]

    @Test(.disabled(if: QuickCheck.isRunning), arguments: Device.allCases.filter(\.hasWord))
    func `an existing name becomes the owner's, and nothing is stored twice`(
        device: Device
    ) async throws {
        #expect(try await store(device, Self.chat).new == 4)
        // Another chat, in which the name is in the file.
        let other = [Said(minute: 900, name: "지아", text: "모레"), Said(minute: 901, name: "하나", text: "응")]
        #expect(try await store(.windows, other).new == 2)
        #expect(try await store(device, Self.chat, me: ["지아"]) == ImportTally(known: 4))
        #expect(try await store(device, Self.chat) == ImportTally(known: 4))
        #expect(try await stored().map { $0.sender?.name } == ["지아", "민수", "지아", "지아", "지아", "하나"])
        #expect(try await stored().map { $0.sender?.isSelf } == [true, false, true, true, true, false])
        #expect(try archive.check(accounts: ["old"]).flatMap(\.problems) == [])
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: Device.allCases.filter(\.hasWord), ["철수", "민수"])
    func `a wrong owner's name is replaced, nothing is stored twice, and messages stay theirs`(
        device: Device, wrong: String
    ) async throws {
        #expect(try await store(device, Self.chat, me: [wrong]).new == 4)
        #expect(try await own() == [wrong])
        #expect(try await store(device, Self.chat, me: ["지아"]) == ImportTally(known: 4))
        #expect(try await own() == ["지아"])
        #expect(try await stored().map { $0.sender?.name } == ["지아", "민수", "지아", "지아"])
        #expect(try await stored().map { $0.sender?.isSelf } == [true, false, true, true])
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: Device.allCases.filter(\.hasWord))
    func `merging the word's person into the owner keeps the owner's name`(device: Device) async throws {
        try await store(.mac, Self.chat)
        try await store(device, [Said(minute: 900, name: "지아", text: "모레")])
        let users = try archive.reading().users(scope: .accounts(["old"]))
        let from = try #require(users.first(where: \.isSelf)?.id)
        let into = try #require(users.first { $0.name == "지아" }?.id)
        let writer = try await archive.openWriter(Self.account)
        for undoes in [false, true] {
            var place: MergingPlace?
            repeat {
                let request = Merging(.people, from: from, into: into, undoes: undoes)
                place = try await writer.merge(request, from: place, at: RandomSource.now).next
            } while place != nil
            // Later imports find the person by the word, and by another one.
            for export in undoes ? [] : [device, device == .iPhone ? .android : .iPhone] {
                let lines = try await lines(export, Self.chat, me: [])
                #expect(try await writer.importLines(lines, at: RandomSource.now) == ImportTally(known: 4))
            }
            try await writer.setOwnNames(["zia"], from: .command)
            #expect(try await own() == [undoes ? "zia" : "지아"])
            try await writer.setOwnNames([], from: .command)
        }
        try await writer.close()
        #expect(try await stored().map { $0.sender?.name }.prefix(4) == ["지아", "민수", "지아", "지아"])
        #expect(try archive.check(accounts: ["old"]).flatMap(\.problems) == [])
    }

    @Test(arguments: [Device.mac, .windows])
    func `if the owner has a name, the word is another person's name`(device: Device) async throws {
        try await store(device, [Said(minute: 781, name: "나", text: "hi"), Said(minute: 782, name: "지아", text: "ho")])
        #expect(try await own() == [])
        try await store(device, [Said(minute: 783, name: "지아", text: "ho")], me: ["지아"])
        #expect(try await own() == ["지아"])
    }

    @Test(arguments: ["alice", "U7"])
    func `an owner with an id in the export is named by name or id`(name: String) async throws {
        let message = ImportedMessage(
            room: "general", roomKey: "C1", kind: .message, sender: "alice", senderKey: "U7", body: "hi",
            time: Timestamp(microseconds: 1_795_242_191_000_000), resolution: .second, remoteID: "1")
        var naming = OwnerNaming(given: [name], known: [], words: [], folding: .rfc1459)
        var marked = message
        naming.mark(&marked)
        #expect(marked == message && naming.hasOwner)
        let found = naming.take()
        let owner = try #require(found)
        let writer = try await archive.openWriter(Self.account)
        _ = try await writer.importLines([.owner(owner), .message(marked)], at: RandomSource.now)
        try await writer.close()
        #expect(try await own() == ["alice"])
    }

    @Test func `without a name, the export's word names the owner`() async throws {
        try await store(.iPhone, Self.chat)
        #expect(try await own() == ["나"])
        #expect(try await store(.android, Self.chat) == ImportTally(known: 4))
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<UInt64(15))
    func `exports with a word are stored once, in any order, with any names`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let chat = Self.chat(&generator)
        for _ in 0..<6 {
            let device = Device.allCases.filter(\.hasWord).randomElement(using: &generator) ?? .iPhone
            let names = [[], [], ["지아"], ["철수"], ["민수"], ["지아", "zia"]].randomElement(using: &generator) ?? []
            try await store(device, Self.part(of: chat, &generator), me: names)
        }
        try await expectOnce(chat, .iPhone, seed)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<UInt64(15))
    func `exports with words and names are stored once, in any order, if the owner is known`(
        seed: UInt64
    ) async throws {
        var generator = SeededGenerator(seed: seed)
        let chat = Self.chat(&generator)
        for _ in 0..<6 {
            let device = Device.allCases.randomElement(using: &generator) ?? .iPhone
            // The archive keeps the names from the first message of the owner on.
            let isKnown = try !archive.ownNames(in: "old", from: .command).isEmpty
            let choices = [["지아"], ["zia", "지아"]] + (isKnown ? [[]] : [])
            let names = choices.randomElement(using: &generator) ?? []
            try await store(device, Self.part(of: chat, &generator), me: names)
        }
        try await expectOnce(chat, Device.allCases.randomElement(using: &generator) ?? .mac, seed)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<UInt64(15))
    func `importing an export again adds nothing, even after the owner is named`(
        seed: UInt64
    ) async throws {
        var generator = SeededGenerator(seed: seed)
        let chat = Self.chat(&generator)
        var exports: [(Device, [Said])] = []
        for _ in 0..<4 {
            let device = Device.allCases.randomElement(using: &generator) ?? .iPhone
            exports.append((device, Self.part(of: chat, &generator)))
            try await store(device, exports[exports.count - 1].1)
        }
        for names in [[], ["지아"], []] {
            for (device, said) in exports.shuffled(using: &generator) {
                #expect(
                    try await store(device, said, me: names) == ImportTally(known: said.count), "\(device), \(names)")
            }
        }
    }

    /// Imports the whole chat with the right name, and expects it once in the archive.
    private func expectOnce(_ chat: [Said], _ device: Device, _ seed: UInt64) async throws {
        try await store(device, chat, me: ["지아"])
        let found = try await stored().map {
            "\($0.sender?.isSelf == true ? "own" : $0.sender?.name ?? "") \($0.body ?? "")"
        }
        let said = chat.map { "\($0.isOwn ? "own" : $0.name) \($0.text)" }
        #expect(found.sorted() == said.sorted(), "\(device)")
        #expect(try await store(device, chat, me: ["지아"]) == ImportTally(known: chat.count))
        let rehearsed = try await archive.rehearseImport(into: "old").add(lines(device, chat, me: ["지아"]))
        #expect(rehearsed == ImportTally(known: chat.count))
    }
}
