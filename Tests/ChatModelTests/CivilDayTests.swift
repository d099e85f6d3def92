import ChatModel
import Foundation
import Testing

@Suite struct CivilDayTests {
    private func zone(_ name: String) throws -> Zone { try #require(Zone(identifier: name)) }

    private func day(_ name: String, in zone: Zone) throws -> CivilDay {
        guard case .span(let span) = try TimePhrase(name, zone: zone, now: Timestamp(microseconds: 0)) else {
            throw TimePhraseError("not a day")
        }
        let day = CivilDay(containing: span.lowerBound, in: zone)
        #expect(day.span == span)
        return day
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-03-29", 23, "2026-03-28T23:00:00.000000Z"),
        ("Europe/Berlin", "2026-10-25", 25, "2026-10-24T22:00:00.000000Z"),
        ("America/Sao_Paulo", "2018-11-04", 23, "2018-11-04T03:00:00.000000Z"),
        ("America/Sao_Paulo", "2018-02-17", 25, "2018-02-17T02:00:00.000000Z"),
        ("Asia/Seoul", "2026-11-21", 24, "2026-11-20T15:00:00.000000Z"),
        ("GMT", "1969-12-31", 24, "1969-12-31T00:00:00.000000Z"),
        ("Pacific/Apia", "2011-12-29", 24, "2011-12-29T10:00:00.000000Z"),
        ("Pacific/Apia", "2011-12-31", 24, "2011-12-30T10:00:00.000000Z"),
    ])
    func `a day lasts from its first instant to the next day's`(
        name: String, date: String, hours: Int64, start: String
    ) throws {
        let day = try day(date, in: zone(name))
        #expect(day.name == date && day.span.lowerBound.description == start)
        #expect(day.span.upperBound.since(day.span.lowerBound) == .seconds(hours * 3600))
    }

    @Test func `a date that a zone skipped is an error, and its neighbours are adjacent`() throws {
        let apia = try zone("Pacific/Apia")
        #expect(throws: TimePhraseError("Pacific/Apia skipped that day")) { try day("2011-12-30", in: apia) }
        #expect(try day("2011-12-29", in: apia).following.name == "2011-12-31")
    }

    @Test(arguments: [
        "America/St_Johns", "America/Sao_Paulo", "Pacific/Apia", "Antarctica/Casey", "Europe/Berlin", "Asia/Tehran",
        "America/Havana", "Asia/Gaza", "Pacific/Kwajalein", "Australia/Lord_Howe", "GMT",
    ])
    func `days are consecutive, and each instant is in its day`(name: String) throws {
        let zone = try zone(name)
        var day = CivilDay(containing: try #require(Timestamp(cursor: "2009-10-01T12:00:00.000000Z")), in: zone)
        while day.name < "2013" {
            let next = day.following
            #expect(next.number > day.number && next.span.lowerBound == day.span.upperBound)
            for hour in [Int64(0), 1, 12, 23, 24] {
                let time = day.span.lowerBound.advanced(by: .seconds(hour * 3600))
                #expect(CivilDay(containing: time, in: zone) == (time < next.span.lowerBound ? day : next))
            }
            day = next
        }
    }

    @Test(arguments: [Int64.min, Int64.min + 1, -1, 0, Int64.max - 1, Int64.max])
    func `the earliest and the latest time have a day`(microseconds: Int64) {
        let day = CivilDay(containing: Timestamp(microseconds: microseconds), in: .gmt)
        #expect(day.span.lowerBound <= day.span.upperBound)
    }
}
