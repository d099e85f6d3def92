import Foundation
import Rendering
import Testing

@Suite struct LocalZoneTests {
    @Test func `the local zone is the one that Foundation finds`() {
        #expect(TimeZone.local.identifier == TimeZone.current.identifier)
    }
}
