import Bytes
import ChatModel
import TestSupport
import XMPPWire

extension FakeXMPPConnection {
    /// Answers a question for a page of an archive, backwards.
    func page(_ query: XMPPElement, of address: String?, id: String) {
        let set = query.child("set", XMPPNamespace.pages)
        let before = set?.child("before", XMPPNamespace.pages)?.text ?? ""
        let (place, isCut) = server.state.change { state -> (FakeXMPPServer.Place, Bool) in
            state.asked.append(before)
            let pages = state.asked.count
            if let limit = state.trimAfterPages, pages > limit,
                let end = state.room.messages.firstIndex(where: { $0.id == before })
            {
                state.room.messages.removeFirst(end + 1)
            }
            return (address == nil ? state.own : state.room, state.cutAfterPages.map { pages > $0 } ?? false)
        }
        guard !isCut else {
            server.state.change { ($0.cutAfterPages, $0.isDown) = (nil, $0.staysDown) }
            return fail()
        }
        let from = address.map { " from='\($0)'" } ?? ""
        guard address == nil || !server.state.value.isForbidden else {
            return deliver(
                "<iq type='error'\(from) id='\(id)'><error type='auth'>"
                    + "<forbidden xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
        }
        let isOff = server.state.change { state in
            let isOff = address != nil && state.switchesOffAfterPages.map { state.asked.count > $0 } ?? false
            if isOff { state.room.hasArchive = false }
            return isOff
        }
        if isOff { deliver(FakeXMPPServer.change) }
        let isBusy = server.state.change { state in
            defer { state.isBusy = false }
            return state.isBusy
        }
        guard !isBusy else {
            return deliver(
                "<iq type='error'\(from) id='\(id)'><error type='wait'>"
                    + "<internal-server-error xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
        }
        let end = place.messages.firstIndex { $0.id == before }
        if end == nil, !before.isEmpty, !place.takesIDsForTimes {
            return deliver(
                "<iq type='error'\(from) id='\(id)'><error type='cancel'>"
                    + "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
        }
        let earlier = place.messages[..<(end ?? place.earlier(than: before))]
        let found = earlier.suffix(
            min(place.page, set?.child("max", XMPPNamespace.pages).flatMap { Int($0.text) } ?? 50))
        for var archived in found {
            if isOff { archived.id += "-in-memory" }
            deliver(result(archived, place, query: query["queryid"] ?? "", from))
        }
        let complete = found.count == earlier.count ? " complete='true'" : ""
        let ids = found.first.map { "<first>\($0.id)</first><last>\(found.last?.id ?? "")</last>" } ?? ""
        deliver(
            "<iq type='result'\(from) id='\(id)'><fin xmlns='\(XMPPNamespace.archive)'\(complete)>"
                + "<set xmlns='\(XMPPNamespace.pages)'>\(ids)</set></fin></iq>")
    }

    private func result(
        _ archived: FakeXMPPServer.Archived, _ place: FakeXMPPServer.Place, query: String, _ from: String
    ) -> String {
        var stamp = String(decoding: WrittenTime.utc(microseconds: archived.time.microseconds), as: UTF8.self)
        if place.hasWholeSeconds { stamp = String(stamp.prefix(19)) + "Z" }
        return
            "<message\(from) to='me@example/x'><result xmlns='\(XMPPNamespace.archive)' queryid='\(query)' id='\(archived.id)'>"
            + "<forwarded xmlns='\(XMPPNamespace.forward)'><delay xmlns='\(XMPPNamespace.delay)' stamp='\(stamp)'/>"
            + "\(archived.message)</forwarded></result></message>"
    }
}

extension FakeXMPPServer.Place {
    /// The place of an id that the archive does not have, as a time.
    fileprivate func earlier(than id: String) -> Int {
        guard let number = Int(id) else { return messages.count }
        return messages.firstIndex { (Int($0.id) ?? 0) >= number } ?? messages.count
    }
}
