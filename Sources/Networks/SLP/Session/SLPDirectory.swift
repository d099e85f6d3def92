import ChatModel
import SLPWire
import Sessions

/// The workspaces and rooms that the service lists for an account, and the people in them.
struct SLPDirectory: Sendable {
    var rooms: [SLPRoom] = []
    /// False if a workspace or a room in a list can't be read, so that it is unknown which one is missing.
    var isWhole = true
    /// The events that record the directory in the archive.
    private(set) var events: [ChatEvent] = []
    private var bytes = 0
    /// The approximate limit of bytes in events: 20,000 people in three rooms each. Above it, the members of further
    /// rooms are left out.
    private static let maximumBytes = 12 * 1024 * 1024
    /// The limit of an account's rooms, and of their bytes at 1,000 a room. Above it, the lists count as incomplete.
    static let maximumRooms = 10_000
    private static let maximumRoomBytes = 10_000_000

    /// Reads the directory. If the service refuses the people of one workspace or room, leaves them out. If it refuses
    /// rooms, throws, because rooms that are not listed count as left.
    ///
    /// - Parameters:
    ///   - me: The account's own id.
    ///   - channels: The names of channels to add although the account is not in them.
    ///   - state: The archive, which has the former partner of a direct room whose partner no longer has an account.
    static func read(
        _ client: SLPClient, me: String, channels wanted: Set<String>, state: any ListenerState, at now: () -> Timestamp
    ) async throws -> SLPDirectory {
        var directory = SLPDirectory()
        var roomBytes = 0
        let workspaces = try await client.workspaces()
        directory.isWhole = workspaces.allSatisfy { $0.value != nil }
        for workspace in workspaces.compactMap(\.value) {
            let reference = WorkspaceReference(
                key: workspace.id, name: workspace.name ?? workspace.id, picture: .known(workspace.imagePath))
            for user in try await optional({ try await client.members(of: workspace.id) }) ?? [] {
                guard let user = user.value else { continue }
                directory.addUser(user, me: me, at: now())
            }
            let (rooms, isWhole) = try await rooms(client, in: reference, channels: wanted, state: state)
            directory.isWhole = directory.isWhole && isWhole
            for room in rooms {
                let listed = ChatEvent.roomListed(room.listing, at: now())
                roomBytes += listed.approximateBytes
                guard directory.rooms.count < maximumRooms, roomBytes <= maximumRoomBytes else {
                    directory.isWhole = false
                    break
                }
                directory.rooms.append(room)
                if let partner = room.partner { directory.addUser(partner, me: me, at: now()) }
                directory.events.append(listed)
                guard directory.bytes < maximumBytes else { continue }
                let members = try await optional { try await client.members(of: room.address) }
                if let members = members?.compactMap(\.value), !members.isEmpty {
                    directory.addEvent(
                        .membersListed(room.reference, members.map { UserReference($0, me: me) }, at: now()))
                }
            }
        }
        return directory
    }

    /// Returns the account's rooms and the additionally wanted channels in one workspace, and true if all could be
    /// read.
    static func rooms(
        _ client: SLPClient, in workspace: WorkspaceReference, channels wanted: Set<String>, state: any ListenerState
    ) async throws -> (rooms: [SLPRoom], isWhole: Bool) {
        let listed = try await client.channels(of: workspace.key)
        var channels = listed.compactMap(\.value)
        var isWhole = channels.count == listed.count
        if !wanted.isEmpty {
            let ownIDs = Set(channels.map(\.id))
            let others = try await client.allChannels(of: workspace.key)
            isWhole = isWhole && others.allSatisfy { $0.value != nil }
            channels += others.compactMap(\.value).filter {
                !ownIDs.contains($0.id) && wanted.contains($0.name ?? "")
            }
        }
        let directRooms = try await client.directRooms(of: workspace.key)
        let direct = directRooms.compactMap(\.value)
        let known = direct.contains { $0.partner == nil } ? try await state.partners() : [:]
        let rooms =
            channels.map { SLPRoom($0, in: workspace) }
            + direct.map { SLPRoom($0, in: workspace, known: known[SLPRoom.key(ofDirect: $0.id)]) }
        return (rooms, isWhole && direct.count == directRooms.count)
    }

    private mutating func addUser(_ user: SLPUser, me: String, at time: Timestamp) {
        addEvent(.userListed(UserListing(user: UserReference(user, me: me), picture: user.imagePath), at: time))
    }

    /// Adds an event, unless there are too many.
    private mutating func addEvent(_ event: ChatEvent) {
        let size = event.approximateBytes
        guard bytes + size <= Self.maximumBytes else { return }
        bytes += size
        events.append(event)
    }

    /// Returns the call's result; nil if the service refuses only this call.
    private static func optional<Value>(_ call: () async throws -> Value) async throws -> Value? {
        do {
            return try await call()
        } catch let error as CallError where [.refused, .noPermission, .gone].contains(error.code) {
            return nil
        }
    }
}
