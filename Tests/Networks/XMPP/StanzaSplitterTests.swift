import Foundation
import Testing

@testable import XMPPWire

/// Stanzas are cut out of a stream wherever its bytes are split, and nothing in it traps.
struct StanzaSplitterTests {
    private static let header =
        "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' id='7'>"

    /// Stanzas as Prosody 0.12.3 and ejabberd 23.01 send them.
    static let stanzas = [
        "<message type='groupchat' from='room@muc.example/alice' id='a1'><body>안녕 &amp; hi</body>"
            + "<stanza-id xmlns='urn:xmpp:sid:0' by='room@muc.example' id='1669000000000001'/></message>",
        "<presence from='room@muc.example/bob'><x xmlns='http://jabber.org/protocol/muc#user'>"
            + "<item role='participant' affiliation='none'/><status code='110'/></x></presence>",
        "<iq type='result' id='s1'/>",
        "<r xmlns='urn:xmpp:sm:3'/>",
        "<message from='a@example' odd:lang='en'><odd:part xmlns:other='u'><other:x/></odd:part><body><![CDATA[1<2]]></body></message>",
    ]

    private func split(_ parts: [[UInt8]]) -> (units: [StanzaSplitter.Unit], failure: String?) {
        let splitter = StanzaSplitter()
        var (units, failure): ([StanzaSplitter.Unit], String?) = ([], nil)
        for part in parts {
            let found = splitter.split(part)
            units += found.units
            failure = failure ?? found.failure
        }
        return (units, failure)
    }

    @Test func `stanzas and their bytes are the same at every split`() {
        let text = Self.header + " " + Self.stanzas.joined(separator: "\n") + "</stream:stream>"
        let bytes = Array(text.utf8)
        let (whole, failure) = split([bytes])
        #expect(failure == nil && whole.count == Self.stanzas.count + 2)
        for (unit, stanza) in zip(whole.dropFirst(), Self.stanzas) {
            guard case .stanza(let received) = unit else {
                Issue.record("\(unit)")
                continue
            }
            #expect(String(decoding: received.raw, as: UTF8.self) == stanza)
        }
        for place in 1..<bytes.count {
            #expect(split([Array(bytes[..<place]), Array(bytes[place...])]).units == whole, "split at \(place)")
        }
        #expect(split(bytes.map { [$0] }).units == whole)
    }

    @Test func `prefixes stand for namespaces, and an undeclared prefix stays`() throws {
        let (units, _) = split([Array((Self.header + Self.stanzas[4]).utf8)])
        guard case .stanza(let stanza)? = units.last else { return #expect(Bool(false), "\(units)") }
        let element = try stanza.content.get()
        #expect(element["odd:lang"] == "en" && element.namespace == "jabber:client")
        #expect(element.child("odd:part", "")?.child("x", "u") != nil)
        #expect(element.child("body", "jabber:client")?.text == "1<2")
    }

    @Test func `a namespace ends with its element`() throws {
        let text = "<message><a xmlns='u' xmlns:p='v'><p:b/></a><c/><p:d/></message>"
        let (units, _) = split([Array((Self.header + text).utf8)])
        guard case .stanza(let stanza)? = units.last else { return #expect(Bool(false), "\(units)") }
        let element = try stanza.content.get()
        #expect(element.child("a", "u")?.child("b", "v") != nil)
        #expect(element.child("c", "jabber:client") != nil && element.child("p:d", "") != nil)
    }

    @Test(arguments: [
        "<!-- hi -->", "<?php?>", "<message>&nbsp;</message>", "<message></presence>", "<message a='1' a='2'/>",
        "\u{1}",
        "<message><!-- hi --></message>", "<message", "]]>",
    ])
    func `what XMPP forbids ends the stream or stays incomplete`(text: String) {
        let (units, failure) = split([Array((Self.header + text).utf8)])
        #expect(units.count == 1 && (failure != nil || text == "<message"))
    }

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "<html>", "<stream xmlns='jabber:client'>", "HTTP/1.1 200 OK",
    ])
    func `a stream that is not XMPP fails`(text: String) {
        let (units, failure) = split([Array(text.utf8)])
        #expect(units.isEmpty && failure != nil)
    }

    @Test func `an element that breaks a limit is unreadable, and the stream continues`() {
        var limits = StanzaSplitter.Limits()
        (limits.element.depth, limits.element.attributes, limits.element.elements) = (4, 2, 5)
        let splitter = StanzaSplitter(limits: limits)
        let bad = [
            "<message><a><b><c><d/></c></b></a></message>", "<message a='1' b='2' c='3'><x/></message>",
            "<message><a/><a/><a/><a/><a/><a/></message>",
        ]
        let text = Self.header + bad.joined() + "<message><body>ok</body></message>"
        let (units, failure) = splitter.split(Array(text.utf8))
        let read = units.compactMap { unit in
            if case .stanza(let stanza) = unit { try? stanza.content.get() } else { nil }
        }
        #expect(failure == nil && units.count == 5 && read.map(\.name) == ["message"])
    }

    @Test(arguments: [
        ("<result xmlns='urn:xmpp:mam:2'>", "</result>"),
        ("<received xmlns='urn:xmpp:carbons:2'>", "</received>"), ("<sent xmlns='urn:xmpp:carbons:2'>", "</sent>"),
    ])
    func `a message that is passed on may have as many levels as one that comes live`(begin: String, end: String) {
        var limits = StanzaSplitter.Limits()
        limits.element.depth = 5
        func isRead(levels: Int, begin: String = "", end: String = "") -> Bool {
            let parts = String(repeating: "<a>", count: levels) + String(repeating: "</a>", count: levels)
            let text = Self.header + begin + "<message xmlns='jabber:client'>\(parts)</message>" + end
            let (units, _) = StanzaSplitter(limits: limits).split(Array(text.utf8))
            guard case .stanza(let stanza)? = units.last else { return false }
            return (try? stanza.content.get()) != nil
        }
        for levels in 1...5 {
            let isPassed = isRead(
                levels: levels, begin: "<message>\(begin)<forwarded xmlns='urn:xmpp:forward:0'>",
                end: "</forwarded>\(end)</message>")
            #expect(isRead(levels: levels) == (levels < 4) && isPassed == (levels < 4), "\(levels) levels")
        }
        #expect(!isRead(levels: 3, begin: "<message><x><forwarded>", end: "</forwarded></x></message>"))
    }

    @Test func `of an element that breaks a limit, the part before is known`() {
        var limits = StanzaSplitter.Limits()
        limits.element.depth = 4
        let text = Self.header + "<message from='a@b'><id xmlns='u'/><c><d><e/></d></c><f/></message>"
        let (units, _) = StanzaSplitter(limits: limits).split(Array(text.utf8))
        guard case .stanza(let stanza)? = units.last, case .failure(let error) = stanza.content else {
            return #expect(Bool(false), "\(units)")
        }
        #expect(error.outline?.from == JID(local: "a", domain: "b"))
        #expect(error.outline?.children.map(\.name) == ["id", "c"])
    }

    @Test(arguments: [
        "<message><body>" + String(repeating: "a", count: 3000), "<message a='" + String(repeating: "a", count: 3000),
        "<message>" + String(repeating: "<a>", count: 1000),
    ])
    func `an element without an end is limited`(text: String) {
        var limits = StanzaSplitter.Limits()
        limits.stanzaBytes = 2048
        let splitter = StanzaSplitter(limits: limits)
        var failure: String?
        for byte in (Self.header + text).utf8 where failure == nil { failure = splitter.split([byte]).failure }
        #expect(failure?.contains("2048") == true)
    }

    @Test func `a stanza that has begun is known until it has ended`() {
        let splitter = StanzaSplitter()
        var states: [Bool] = []
        for part in [Self.header, "<mess", "age>", "hi", "</message>", " ", "<iq/>"] {
            _ = splitter.split(Array(part.utf8))
            states.append(splitter.isBetweenStanzas)
        }
        #expect(states == [true, false, false, false, true, true, true])
    }

    @Test func `nothing follows a failure`() {
        let splitter = StanzaSplitter()
        #expect(splitter.split(Array((Self.header + "<!-- -->").utf8)).failure != nil)
        #expect(splitter.split(Array("<message/>".utf8)).units.isEmpty)
    }

    @Test func `an element is written so that it is read as it was`() throws {
        let element = XMPPElement(
            "message", ["to": "a@b/'\"<&>"],
            [XMPPElement("body", XMPPNamespace.client, text: "1 < 2 &\n\t\u{0}말"), XMPPElement("x", "u:v", [:], [])])
        let (units, failure) = split([Array(Self.header.utf8) + element.encoded])
        guard case .stanza(let stanza)? = units.last else { return #expect(failure == nil, "\(units)") }
        let read = try stanza.content.get()
        #expect(read["to"] == "a@b/'\"<&>" && read.children.map(\.namespace) == ["jabber:client", "u:v"])
        #expect(read.children[0].text == "1 < 2 &\n\t말")
    }
}
