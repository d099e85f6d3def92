import ChatModel
import TestSupport
import Testing

@testable import LogFormats

struct CSVTests {
    private static let columns = "time=Date,sender=User,text=Message"

    private func read(
        _ text: String, columns: String = columns, path: String = "chat.csv", room: String? = "example",
        zone: String = "GMT",
        form: String? = nil
    ) throws -> LogReading {
        try LogReading(
            CSVFormat.self, text, path: path, room: room, zone: zone,
            choices: SourceChoices(
                columns: try ColumnMapping(columns), timePattern: try form.map { try TimePattern($0) }))
    }

    @Test(arguments: [
        ("Date,User,Message\n2026-11-21 06:23:11,alice,hi\n", ["alice: hi"]),
        ("\u{FEFF}Date,User,Message\r\n2026-11-21 06:23:11,alice,hi\r\n", ["alice: hi"]),
        (
            "\u{FEFF}\"Date\",\"User\",\"Message\"\n\"2026-11-21 06:23:11\",\"alice\",\"hi, \"\"all\"\"\"",
            ["alice: hi, \"all\""]
        ),
        ("Date;User;Message\n2026-11-21 06:23:11;alice;hi, all\n", ["alice: hi, all"]),
        ("Date\tUser\tMessage\n2026-11-21 06:23:11\talice\t5\" disk\n", ["alice: 5\" disk"]),
        ("Date|User|Message\n2026-11-21 06:23:11|alice|hi\n", ["alice: hi"]),
        ("sep=;\nDate;User;Message\n2026-11-21 06:23:11;alice;hi\n", ["alice: hi"]),
        (
            "Date,User,Message\n2026-11-21 06:23:11,alice,\"one\r\n\r\ntwo\"\n2026-11-21 06:24:11,bob,ho\n",
            ["alice: one\n\ntwo", "bob: ho"]
        ),
        ("Message , X,\"User\", Date\nhi,1, alice ,2026-11-21 06:23:11\n", ["alice: hi"]),
        ("date,USER,message\n2026-11-21 06:23:11,민수,안녕\n\n", ["민수: 안녕"]),
        (
            "Date,User,Message\n2026-11-21 06:23:11,alice,\"\"\n2026-11-21 06:23:12,,joined\n",
            ["alice: ", "system: joined"]
        ),
    ])
    func `a table is read by its columns`(text: String, told: [String]) throws {
        let read = try read(text)
        #expect(read.told == told)
        #expect(read.unreadable == [])
        #expect(Set(read.messages.map(\.room)) == ["example"])
    }

    @Test(arguments: [
        ("1", "you: hi"), ("True", "you: hi"), (" sent ", "you: hi"), ("to", "you: hi"), ("0", "bob: hi"),
        ("incoming", "bob: hi"), ("", "bob: hi"), ("perhaps", "bob: hi"),
    ])
    func `the owner's messages are by "you", whom an option names`(own: String, told: String) throws {
        let columns = "time=Date,sender=User,text=Message,own=Mine"
        let read = try read("Date,User,Message,Mine\n2026-11-21 06:23:11,bob,hi,\(own)\n", columns: columns)
        #expect(read.told == [told] && read.unreadable == [])
        #expect(CSVFormat.ownerWords == ["you"] && NamedJSONFormat.ownerWords == ["you"])
    }

    @Test func `rooms, ids, replies and kinds are read from their columns`() throws {
        let text = """
            when,who,what,where,no,answers,how
            1795242191123,alice,hi,#a,17,,
            1795242192000,bob,ho,#b,18,17,message
            1795242193000,bob,waves,#b,19,,ME
            1795242194000,carol,bye,,20,,quit
            1795242195000,carol,x,#b,21,,sticker
            """
        let read = try read(
            text, columns: "time=when, sender=who, text=what, room=where, id=no, reply=answers, kind=how",
            path: "#file.csv",
            room: nil)
        #expect(read.messages.map(\.room) == ["#a", "#b", "#b", "#file"])
        #expect(read.told == ["alice: hi", "bob: ho", "action bob: waves", "leave carol: bye"])
        #expect(read.messages.map(\.remoteID) == ["17", "18", "19", "20"])
        #expect(read.messages.map(\.replyTo) == [nil, "17", nil, nil])
        #expect(read.unreadable == ["its kind is unknown"])
        #expect(read.messages[0].resolution == .microsecond)
        #expect(
            try Set(self.read(text, columns: "time=when,text=what,room=where", room: "all").messages.map(\.room)) == [
                "all"
            ])
    }

    @Test func `columns can be numbers, with or without a header, and a time can have two columns`() throws {
        let rows = "21.11.2026,06:23,alice,hi\n22.11.2026,06:24,bob,ho\n"
        for text in [rows, "day,clock,who,what\n" + rows] {
            let read = try read(text, columns: "time=1+2,sender=3,text=4")
            #expect(read.times == ["21T06:23:00", "22T06:24:00"])
            #expect(read.told == ["alice: hi", "bob: ho"] && read.unreadable == [])
        }
    }

    @Test func `an invalid row is reported, and the next is read`() throws {
        let read = try read(
            """
            Date,User,Message
            2026-11-21 06:23:11,alice
            2026-11-21 06:23:12,alice,hi, all
            noon,alice,hi
            ,alice,hi
            2026-11-21 06:23:13,bob,ho
            2026-11-21 06:23:14,bob,"not closed
            """)
        #expect(read.told == ["bob: ho"])
        #expect(
            read.unreadable == [
                "it has 2 columns, and the first record 3", "it has 4 columns, and the first record 3",
                "can't read its time; --time-format gives the form", "it has no time", "a quote is not closed",
            ])
    }

    @Test func `a record without an end is cut, and the rows after it are read`() throws {
        let long = "\"" + String(repeating: "x", count: CSVFormat.maximumLine)
        let read = try read(
            "Date,User,Message\n2026-11-21 06:23:11,alice,\(long)\n2026-11-21 06:23:12,bob,ho\n2026-11-21 06:23:13,bob,\(String(repeating: "y", count: 70_000))\n"
        )
        #expect(read.unreadable.count == 1 && read.unreadable[0].hasPrefix("longer than "))
        #expect(read.messages.map { $0.body?.utf8.count } == [2, 65_536])
        #expect(read.messages[1].flags == .oversize)
    }

    @Test func `a form gives the order of day and month, and the zone that of local times`() throws {
        let text = "Date,User,Message\n03/04/2026 06:23,alice,hi\n"
        #expect(throws: LogSourceError.self) { try read(text) }
        #expect(
            try read(text, form: "%d/%m/%Y %H:%M").messages.first?.time.description == "2026-04-03T06:23:00.000000Z")
        let local = try read(text, zone: "Asia/Seoul", form: "%m/%d/%Y %H:%M")
        #expect(local.messages.first?.time.description == "2026-03-03T21:23:00.000000Z")
        #expect(local.assumptions == ["times without a zone, read as Asia/Seoul: 1, the first is line 2"])
    }

    @Test func `a missing column, no columns and no room are errors`() throws {
        let text = "Date,User,Message\n2026-11-21 06:23:11,alice,hi\n"
        func error(_ body: () throws -> LogReading) -> LogSourceError? {
            do { _ = try body() } catch { return error as? LogSourceError }
            return nil
        }
        #expect(
            error { try read(text, columns: "time=Date,text=Text") }
                == .unusable(reason: "it has no column \"Text\"", hint: "its columns: Date, User, Message"))
        #expect(
            error { try read(text, columns: "time=4,text=3") }
                == .unusable(reason: "it has no column \"4\"", hint: "its columns: Date, User, Message"))
        #expect(error { try read(text, room: nil) } == .noRoom)
        #expect(
            error { try LogReading(CSVFormat.self, text, path: "my chat.csv") }
                == .unusable(
                    reason: "its columns are not named",
                    hint: "for example: --columns time=Date,sender=User,text=Message --room 'my chat'"))
        #expect(throws: LogSourceError.self) { try read("") }
    }

    @Test(arguments: [
        ("time=Date", "no column has the text; add text=COLUMN"),
        (
            "when=Date,text=x",
            "\"when\" is not a part of a message; use time, sender, text, room, id, reply, own or kind"
        ),
        ("time=a,time=b,text=c", "time has two columns"), ("time,text=b", "\"time\" is not of the form PART=COLUMN"),
        ("time=,text=b", "\"time=\" is not of the form PART=COLUMN"), ("", "no column has the time; add time=COLUMN"),
        ("time=+,text=b", "no column has the time; add time=COLUMN"),
    ])
    func `a mistake in the columns is reported`(columns: String, reason: String) {
        #expect(throws: ColumnMappingError(reason)) { try ColumnMapping(columns) }
    }

    @Test func `a table that has grown or comes in any chunks is read the same`() throws {
        let rows = (0..<300).map {
            "2026-11-21 06:\(10 + $0 / 10):00,\"a\"\"\($0)\",\"line \($0)\nand\r\n\"\"more\"\"\"\r\n"
        }
        let header = "\u{FEFF}\"Date\",\"User\",\"Mess\nage\"\r\n"
        let columns = "time=1,sender=2,text=3"
        let whole = try read(header + rows.joined(), columns: columns)
        #expect(whole.messages.count == 300 && whole.unreadable == [])
        #expect(whole.messages[7].body == "line 7\nand\n\"more\"" && whole.messages[7].sender == "a\"7")
        #expect(
            try read(header + rows.prefix(170).joined(), columns: columns).messages == Array(whole.messages.prefix(170))
        )
        let bytes = Array((header + rows.prefix(20).joined()).utf8)
        var expected: [LogLine] = []
        var cutter = CSVFormat.cutter()
        cutter.cutLines(bytes[...]) { expected.append($0) }
        cutter.finish { expected.append($0) }
        #expect(expected.count == 21 && expected[1].number == 3 && expected[2].number == 6)
        for size in [1, 2, 3, 7] {
            var lines: [LogLine] = []
            var cutter = CSVFormat.cutter()
            for start in stride(from: 0, to: bytes.count, by: size) {
                cutter.cutLines(bytes[start..<min(start + size, bytes.count)]) { lines.append($0) }
            }
            cutter.finish { lines.append($0) }
            #expect(lines == expected)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `no bytes trap, and every record gives a message or an error`() throws {
        var generator = SystemRandomNumberGenerator()
        let pieces = ["\"", ",", ";", "\n", "\r\n", "a", "2026-11-21 06:23:11", "\"\"", "\t", "\u{0}", "é", " "]
        for _ in 0..<400 {
            let text = (0..<60).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let header = "Date,User,Message\n"
            let cut = Array(
                (header + text).utf8.prefix(
                    Int.random(in: header.utf8.count..<header.utf8.count + text.utf8.count, using: &generator)))
            for bytes in [
                Array((header + text).utf8), cut,
                cut + (0..<50).map { _ in UInt8.random(in: 0...255, using: &generator) },
            ] {
                var records = 0
                var cutter = CSVFormat.cutter()
                cutter.cutLines(bytes[...]) { if !$0.bytes.isBlank { records += 1 } }
                cutter.finish { if !$0.bytes.isBlank { records += 1 } }
                let read = try LogReading(
                    CSVFormat.self, bytes, path: "a.csv", room: "r",
                    choices: SourceChoices(columns: try ColumnMapping(Self.columns)))
                #expect(read.messages.count + read.unreadable.count == records - 1)
                _ = TableProposal(LogReading.source(bytes, path: "a.csv"))
            }
        }
    }
}
