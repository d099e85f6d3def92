import ChatModel
import Foundation
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

/// Searches by the names of people and rooms.
extension SearchTests {
    @Test(arguments: [
        ("al", ["Al"]), ("AL", ["Al"]), ("ünal", ["Ünal"]), ("U\u{308}NAL", ["Ünal"]), ("김민수", ["김민수"]),
        ("\u{1100}\u{1175}\u{11B7}민수", ["김민수"]), ("kim", ["\u{212A}im"]), ("\u{212A}IM", ["\u{212A}im"]),
        ("a;", ["a;"]), ("a\u{37E}", ["a;"]), ("#al", []), ("a", []), ("%", []),
    ])
    func `a name is found in upper and lower case and in any Unicode form`(name: String, bodies: [String]) async throws
    {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append(
            ["Al", "Ünal", "김민수", "\u{212A}im", "a;"].enumerated().map {
                .said($1, at: Int64($0), by: $1, in: session)
            })
        #expect(try await found("from:\"\(name)\"").bodies == bodies)
        try await writer.close()
    }

    @Test(arguments: [
        ("AL*", ["Al", "alan"]), ("ala*", ["alan"]), ("ü*", ["Ünal"]), ("U\u{308}NA*", ["Ünal"]),
        ("김*", ["김민수", "김수"]),
        ("\u{1100}\u{1175}\u{11B7}민*", ["김민수"]), ("기*", []), ("k*", ["\u{212A}im"]), ("%*", []),
        ("\"a l\"*", ["a lot"]),
        ("z* OR from:김수", ["김수"]),
    ])
    func `the beginning of a name finds people in any case and Unicode form`(
        name: String, bodies: [String]
    ) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append(
            ["Al", "alan", "a lot", "Ünal", "김민수", "김수", "\u{212A}im", "b"].enumerated().map {
                .said($1, at: Int64($0), by: $1, in: session)
            })
        #expect(try await found("from:\(name)").bodies == bodies)
        try await writer.close()
    }

    @Test func `a name is found in every spelling`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let names = ["Zoe[1]", "Zoë", "민수", "Ωmega", "mallory"]
        _ = try await writer.append(
            names.enumerated().map { .said($1, at: Int64($0), by: $1, in: session, room: Self.work) })
        let written = [
            "ZOE[1]": ["Zoe[1]"], "zoe\u{308}": ["Zoë"], "ZOË": ["Zoë"], "민\u{1109}\u{116E}": ["민수"],
            "ωMEGA": ["Ωmega"], "Zoe": ["Zoë"],
            "mallor": [], "%": [], "수": [],
        ]
        for (name, expected) in written {
            #expect(try await found("from:\"\(name)\"").bodies == expected, "\(name)")
        }
        for room in ["work", "#WORK"] { #expect(try await found("in:\(room)").messages.count == names.count) }
        #expect(try await found("in:wor").messages.isEmpty)
        try await writer.close()
    }

    @Test func `in: accepts every name of a room that commands accept`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let names = ["lobby", "#lobby", "#Café", "#우리집", "12", "a/b"]
        for (index, name) in names.enumerated() {
            let room = RoomReference(key: "c\(index)", name: name, kind: .channel)
            _ = try await writer.append([.said("word \(name)", at: Int64(index), in: session, room: room)])
        }
        let id = try #require(fixture.archive.reading().rooms().first { $0.name == "#lobby" }?.id)
        let written = [
            "demo/#lobby": ["#lobby"], "demo/lobby": ["lobby"], "DEMO/#LOBBY": ["#lobby"], "lobby": ["lobby"],
            "cafe\u{301}": ["#Café"], "demo/CAFÉ": ["#Café"],
            "우리집": ["#우리집"], "#\u{110B}\u{116E}\u{1105}\u{1175}\u{110C}\u{1175}\u{11B8}": ["#우리집"],
            "\(id)": ["#lobby"], "demo/\(id)": ["#lobby"], "12": ["12"], "demo/12": ["12"],
            "a/b": ["a/b"], "demo/a/b": ["a/b"],
            "work/#lobby": [], "99": [], "demo/": [], "/": [], "lob": [],
        ]
        for (room, expected) in written {
            let bodies = expected.map { "word \($0)" }
            #expect(try await found("word in:\"\(room)\"").bodies == bodies, "\(room)")
            let others = try await found("word -in:\"\(room)\"").bodies
            #expect(others == names.map { "word \($0)" }.filter { !bodies.contains($0) }, "\(room)")
        }
        try await writer.close()
    }
}
