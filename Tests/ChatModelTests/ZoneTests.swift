import Foundation
import Testing

@testable import ChatModel

struct ZoneTests {
    private static let names = [
        "Africa/Casablanca", "America/New_York", "America/Sao_Paulo", "America/St_Johns", "Asia/Kathmandu",
        "Asia/Seoul",
        "Asia/Tehran", "Australia/Lord_Howe", "Europe/Berlin", "Europe/Dublin", "Pacific/Apia", "Etc/GMT+9", "EST",
    ]

    @Test(arguments: names)
    func `a zone has the offsets that Foundation has, from 1970 on`(name: String) throws {
        let (zone, expected) = (try #require(Zone(identifier: name)), try #require(TimeZone(identifier: name)))
        #expect(zone.identifier == expected.identifier)
        // To the end of 2024, with a step of 5 hours and some minutes.
        let wrong = stride(from: Int64(0), to: 1_735_689_600, by: 18_959).filter { second in
            zone.secondsFromGMT(at: second)
                != expected.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
        }
        #expect(wrong == [])
    }

    @Test(arguments: [
        ("GMT", "GMT", 0), ("UTC", "GMT", 0), ("GMT+9", "GMT+0900", 32_400), ("UTC-03:30", "GMT-0330", -12_600),
        ("GMT+0545", "GMT+0545", 20_700), ("UTC+18", "GMT+1800", 64_800),
    ])
    func `an offset has the name that Foundation gives it`(text: String, name: String, seconds: Int) throws {
        for zone in [try #require(Zone(identifier: text)), try #require(Zone(secondsFromGMT: seconds))] {
            #expect(zone.identifier == name)
            #expect(zone.secondsFromGMT(at: 0) == seconds)
        }
    }

    @Test(arguments: [
        "", "Europe", "Europe/", "Europe/Nowhere", "/Europe/Berlin", "Europe/../Europe/Berlin", "europe/berlin",
        "../../../etc/passwd", "right/Europe/Berlin", "zone.tab", "Europe/Berlin\0", "GMT+19", "GMT+", "UTC+5:3",
    ])
    func `other names are unknown`(name: String) {
        #expect(Zone(identifier: name) == nil)
    }

    @Test func `an offset of more than 18 hours is not a zone`() {
        #expect(Zone(secondsFromGMT: 64_801) == nil)
        #expect(Zone(secondsFromGMT: -64_801) == nil)
    }

    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2090-03-26", 3600, 7200), ("<+03>-3", "2090-03-26", 10_800, 10_800),
        ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2090-09-24", 43_200, 46_800),
        ("AAA3BBB2,J60,J300", "2090-03-01", -10_800, -7200),
        ("AAA0BBB,59,300", "2090-03-01", 0, 3600),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2090-03-25", -7200, -3600),
    ])
    func `a rule holds for all later years`(rule: String, day: String, before: Int, after: Int) throws {
        let rule = try #require(ZoneRule(Array(rule.utf8)[...]))
        let midnight = try Date("\(day)T00:00:00Z", strategy: .iso8601).timeIntervalSince1970
        for cycle in [0, 400] {
            let second = Int64(midnight) + Int64(cycle / 400) * 146_097 * 86_400
            #expect(rule.offset(at: second - 86_400) == before)
            #expect(rule.offset(at: second + 2 * 86_400) == after)
        }
    }

    @Test(arguments: [
        "", "CE-1", "CET", "CET-1CEST", "CET-25", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M1.1.1", "<CET-1",
    ])
    func `other texts are not rules`(text: String) {
        #expect(ZoneRule(Array(text.utf8)[...]) == nil)
    }

    @Test func `a cut or damaged file is refused, or read without a trap`() throws {
        let file = Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin")))
        #expect(ZoneFile(file)?.offset(at: 1_750_000_000) == 7200)
        for count in file.indices { #expect(ZoneFile(Array(file.prefix(count))) == nil) }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var bytes = file
            bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            let zone = ZoneFile(bytes)
            for second in [Int64.min, -1, 0, 4_000_000_000, .max] { _ = zone?.offset(at: second) }
        }
    }
}
