import Archive
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

@testable import Serving

/// Every route, page and tool, with every kind of token, on hot, cold and shared archives: what a token may not see is
/// as if it did not exist.
@Suite(.timeLimit(.minutes(Torture.minutes(10, whole: 240))), .disabled(if: QuickCheck.isRunning))
struct TokenMatrixTortureTests {
    enum State: String, CaseIterable, CustomStringConvertible {
        case hot, cold, shared

        var description: String { rawValue }
        static let available = allCases.filter { $0 != .shared || PostgreSQLServer.isAvailable }
    }

    private struct Case: CustomStringConvertible {
        var state: State
        var reader: Reader?
        var request: SecretRequest

        var description: String { "\(state) \(reader.map(\.rawValue) ?? "owner") \(request)" }
    }

    private func site(_ state: State, keeps: (String, String) -> Bool) async throws -> SecretSite {
        let archive = try await SecretArchive(keeps: keeps)
        if state == .cold { try await archive.compress() }
        return try await SecretSite(archive, source: state == .shared ? try await archive.share() : nil)
    }

    private func cases(_ state: State, _ readers: [Reader?], _ site: SecretSite, count: Int) throws -> [Case] {
        let requests = try SecretRequests.api() + SecretRequests.pages(site.paths) + SecretRequests.calls
        return requests.chosen(count) { request in
            readers.map { Case(state: state, reader: $0, request: request) }
        }
    }

    private func answer(
        _ client: some TestClientProtocol, _ site: SecretSite, _ reader: Reader?, _ request: SecretRequest,
        _ number: Int
    ) async throws -> SecretAnswer {
        var headers = site.headers(of: reader, number)
        if request.message != nil { headers[.contentType] = "application/json" }
        return try await client.execute(
            uri: request.address, method: request.message == nil ? .get : .post, headers: headers,
            body: request.message.map { ByteBuffer(string: $0) }
        ) { SecretAnswer($0, in: site.archive.archive.folder) }
    }

    @Test(arguments: State.available, [Reader.account, .room, .rooms])
    func `a hidden and an absent thing give the same answer`(state: State, reader: Reader) async throws {
        let full = try await site(state) { _, _ in true }
        let twin = try await site(state, keeps: reader.sees)
        let cases = try cases(state, [reader], full, count: 4)
        try await Application(responder: full.responder).test(.router) { client in
            try await Application(responder: twin.responder).test(.router) { twins in
                let visible = try await everything(twins, twin)
                for (number, one) in cases.enumerated() {
                    let found = try await answer(client, full, reader, one.request, number)
                    #expect(found.canaries(beyond: one.request).isSubset(of: visible), "\(one): \(found)")
                    #expect(found.status != 401, "\(one)")
                    guard !one.request.isOfFeed else { continue }
                    let expected = try await answer(twins, twin, reader, one.request, number)
                    #expect(found == expected, "\(one)")
                }
            }
        }
        if state == .cold { try expectCold(full) }
    }

    @Test(arguments: State.available)
    func `a token for everything sees what the owner sees, and an expired one nothing`(
        state: State
    ) async throws {
        let site = try await site(state) { _, _ in true }
        try await Application(responder: site.responder).test(.router) { client in
            let all = try await everything(client, site)
            #expect(
                all.isSuperset(of: ["ALIASCANARY", "BOARDFILECANARY", "DIRECTTEXTCANARY", "VAULTDEEPCANARY"]), "\(all)")
            for (number, one) in try cases(state, [.all], site, count: 2).enumerated() {
                let found = try await answer(client, site, .all, one.request, number)
                #expect(found.status < 500 || state == .cold, "\(one): \(found)")
                // Only the owner may erase a room.
                guard one.request.message == nil, !one.request.address.contains("/erase") else { continue }
                let owners = try await answer(client, site, nil, one.request, number)
                #expect(found.body == owners.body, "\(one)")
            }
            for (number, one) in try cases(state, [.expired, .removed], site, count: 3).enumerated() {
                #expect(try await answer(client, site, one.reader, one.request, number).status == 401, "\(one)")
            }
            for (number, one) in try cases(state, [.erased], site, count: 3).enumerated() {
                let found = try await answer(client, site, .erased, one.request, number)
                #expect(
                    found.canaries(beyond: one.request).isEmpty && !found.body.contains("openword number"),
                    "\(one): \(found)")
            }
        }
        if state == .cold { try expectCold(site) }
    }

    /// Returns the canaries that an archive has.
    private func everything(_ client: some TestClientProtocol, _ site: SecretSite) async throws -> Set<String> {
        var found: Set<String> = []
        for account in SecretArchive.accounts {
            for list in ["rooms", "users", "messages", "attachments"] {
                let limit = ["messages", "attachments"].contains(list) ? "&limit=1000" : ""
                let request = SecretRequest(address: "/api/v1/\(list)?account=\(account)\(limit)")
                found.formUnion(try await answer(client, site, nil, request, 0).canaries(beyond: request))
            }
        }
        let file = SecretRequest(address: "/api/v1/files/\(SecretArchive.sha256(SecretArchive.boardFile))")
        found.formUnion(try await answer(client, site, nil, file, 0).canaries(beyond: file))
        return found
    }

    /// Reading leaves every account compressed.
    private func expectCold(_ site: SecretSite) throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: site.archive.archive.folder + "/accounts")
        #expect(
            !names.contains { $0.hasSuffix(".sqlite") } && names.contains { $0.hasSuffix(".sqlite.zst") }, "\(names)")
    }
}
