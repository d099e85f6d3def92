import FoundationEssentials

/// The beginning of a connection, from the header to a bound or resumed stream, as a value (RFC 6120 §6 and §7).
package struct XMPPLogin: Sendable {
    /// A stream that another connection left, which the server may continue (XEP-0198 §5).
    package struct Resumption: Sendable, Hashable {
        package var id: String
        /// The number of stanzas that are stored.
        package var handled: UInt32

        package init(id: String, handled: UInt32) {
            (self.id, self.handled) = (id, handled)
        }
    }

    /// The outcome of a login.
    package enum Outcome: Sendable, Hashable {
        /// A new stream with this address.
        case bound(JID, hasManagement: Bool)
        /// The earlier stream continues; nothing that was sent to it is lost.
        case resumed
        case failed(LoginFailure)
    }

    /// An action for the caller.
    package enum Action: Sendable, Hashable {
        case send([UInt8])
        /// The next byte begins a new document.
        case restart
        case finish(Outcome)
    }

    private enum State {
        case header, features, authenticating, secondHeader, secondFeatures, resuming, binding, done
    }

    private let domain: String
    private let resource: String
    private let credentials: XMPPCredentials
    private var resumption: Resumption?
    private var state = State.header
    private var mechanism: SASLMechanism?
    private var hasManagement = false
    /// True once the server was asked to resume a stream, and did not refuse.
    package private(set) var isResuming = false

    package init(
        domain: String, resource: String, credentials: XMPPCredentials, resumption: Resumption? = nil
    ) {
        (self.domain, self.resource, self.credentials) = (domain, resource, credentials)
        self.resumption = resumption
    }

    /// The first bytes of a stream.
    package var header: [UInt8] {
        Array(
            ("<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='\(XMPPNamespace.streams)' "
                + "version='1.0' to='\(XMPPElement.escape(domain))'>").utf8)
    }

    /// Takes the next part of the stream.
    package mutating func take(_ unit: StanzaSplitter.Unit) -> [Action] {
        switch unit {
        case .opened:
            switch state {
            case .header: state = .features
            case .secondHeader: state = .secondFeatures
            default: return fail(.invalidServer("a second header"))
            }
            return []
        case .closed: return fail(.ended("it closed the stream"))
        case .stanza(let stanza):
            guard case .success(let element) = stanza.content else { return fail(.invalidServer("unreadable XML")) }
            return take(element)
        }
    }

    private mutating func take(_ element: XMPPElement) -> [Action] {
        if element.is("error", XMPPNamespace.streams) { return fail(.ended(element.errorWords)) }
        switch state {
        case .features where element.is("features", XMPPNamespace.streams): return authenticate(element)
        case .authenticating where element.namespace == XMPPNamespace.sasl: return proceed(element)
        case .secondFeatures where element.is("features", XMPPNamespace.streams): return begin(element)
        case .resuming where element.namespace == XMPPNamespace.management: return takeResumption(element)
        case .binding where element.name == "iq": return takeBinding(element)
        case .binding, .resuming: return []
        default: return fail(.invalidServer("<\(element.name)>"))
        }
    }

    private mutating func authenticate(_ features: XMPPElement) -> [Action] {
        let offered = features.child("mechanisms", XMPPNamespace.sasl)?.children("mechanism", XMPPNamespace.sasl) ?? []
        let names = Set(offered.map(\.text))
        guard let (name, chosen) = SASLMechanism.choose(credentials, among: names) else {
            return fail(.noMechanism(names.sorted().joined(separator: ", ")))
        }
        mechanism = chosen
        state = .authenticating
        do throws(LoginFailure) {
            let first = try mechanism?.respond(to: []) ?? []
            // `=` stands for an empty first response (RFC 6120 §6.4.2).
            let text = first.isEmpty ? "=" : Data(first).base64EncodedString()
            return [.send(XMPPElement("auth", XMPPNamespace.sasl, ["mechanism": name], text: text).encoded)]
        } catch {
            return fail(error)
        }
    }

    private mutating func proceed(_ element: XMPPElement) -> [Action] {
        do throws(LoginFailure) {
            switch element.name {
            case "challenge":
                let answer = try mechanism?.respond(to: Self.decode(element.text)) ?? []
                let text = Data(answer).base64EncodedString()
                return [.send(XMPPElement("response", XMPPNamespace.sasl, nodes: [.text(text)]).encoded)]
            case "success":
                // The server's signature is in a challenge before, or here.
                if mechanism?.isFinished == false { _ = try mechanism?.respond(to: Self.decode(element.text)) }
                guard mechanism?.isFinished == true else {
                    return fail(.invalidServer("it ended the login before it proved that it knows the password"))
                }
                state = .secondHeader
                return [.restart, .send(header)]
            default: return fail(Self.failure(element))
            }
        } catch {
            return fail(error)
        }
    }

    private static func decode(_ text: String) throws(LoginFailure) -> [UInt8] {
        guard text != "=" else { return [] }
        guard let data = Data(base64Encoded: text) else { throw .invalidServer("a challenge that is not base64") }
        return Array(data)
    }

    private static func failure(_ element: XMPPElement) -> LoginFailure {
        let isTemporary = element.child("temporary-auth-failure", XMPPNamespace.sasl) != nil
        return isTemporary ? .temporary(element.errorWords) : .refused(element.errorWords)
    }

    private mutating func begin(_ features: XMPPElement) -> [Action] {
        hasManagement = features.child("sm", XMPPNamespace.management) != nil
        guard hasManagement, let resumption else { return bind() }
        (state, isResuming) = (.resuming, true)
        let resume = XMPPElement(
            "resume", XMPPNamespace.management, ["previd": resumption.id, "h": "\(resumption.handled)"])
        return [.send(resume.encoded)]
    }

    private mutating func takeResumption(_ element: XMPPElement) -> [Action] {
        guard element.name == "resumed" else {
            (resumption, isResuming) = (nil, false)
            return bind()
        }
        state = .done
        return [.finish(.resumed)]
    }

    private mutating func bind() -> [Action] {
        state = .binding
        let wish = XMPPElement("resource", XMPPNamespace.bind, text: resource)
        return [
            .send(
                XMPPElement(
                    "iq", ["id": "bind", "type": "set"], [XMPPElement("bind", XMPPNamespace.bind, [:], [wish])]
                )
                .encoded)
        ]
    }

    private mutating func takeBinding(_ element: XMPPElement) -> [Action] {
        guard element["id"] == "bind" else { return [] }
        let address = element.child("bind", XMPPNamespace.bind)?.child("jid", XMPPNamespace.bind).flatMap {
            JID($0.text)
        }
        guard element["type"] == "result", let address, !address.isBare else {
            return fail(.ended("it did not bind the connection: \(element.errorWords)"))
        }
        state = .done
        return [.finish(.bound(address, hasManagement: hasManagement))]
    }

    private mutating func fail(_ failure: LoginFailure) -> [Action] {
        state = .done
        return [.finish(.failed(failure))]
    }
}

extension XMPPElement {
    package init(_ name: String, _ attributes: [String: String], _ children: [XMPPElement] = []) {
        self.init(name, XMPPNamespace.client, attributes, children)
    }
}
