/// The schema's history: every step from an empty file to today's, in order, compiled in.
package enum Migrations {
    /// Schema `n` is reached by running the first `n` of these; `PRAGMA user_version` says how many a file has had.
    package static let all: [Migration] = [
        Migration(name: "0001_archive", bytes: PackageResources._001_archive_sql),
        Migration(name: "0002_reading", bytes: PackageResources._002_reading_sql),
        Migration(name: "0003_search", bytes: PackageResources._003_search_sql),
        Migration(name: "0004_versions", bytes: PackageResources._004_versions_sql),
        Migration(name: "0005_workspaces", bytes: PackageResources._005_workspaces_sql),
        Migration(name: "0006_attachments", bytes: PackageResources._006_attachments_sql),
        Migration(name: "0007_replies", bytes: PackageResources._007_replies_sql),
        Migration(name: "0008_clocks", bytes: PackageResources._008_clocks_sql),
        Migration(name: "0009_retractions", bytes: PackageResources._009_retractions_sql),
        Migration(name: "0010_imports", bytes: PackageResources._010_imports_sql),
        Migration(name: "0011_moved", bytes: PackageResources._011_moved_sql),
        Migration(name: "0012_receipts", bytes: PackageResources._012_receipts_sql),
        Migration(name: "0013_members", bytes: PackageResources._013_members_sql),
        Migration(name: "0014_alike", bytes: PackageResources._014_alike_sql),
        Migration(name: "0015_sender_counts", bytes: PackageResources._015_sender_counts_sql),
        Migration(name: "0016_noise", bytes: PackageResources._016_noise_sql),
        Migration(name: "0017_views", bytes: PackageResources._017_views_sql),
        Migration(name: "0018_files", bytes: PackageResources._018_files_sql),
        Migration(name: "0019_comments", bytes: PackageResources._019_comments_sql),
        Migration(name: "0020_attachments", bytes: PackageResources._020_attachments_sql),
        Migration(name: "0021_names", bytes: PackageResources._021_names_sql),
        Migration(name: "0022_sharing", bytes: PackageResources._022_sharing_sql),
        Migration(name: "0023_retention", bytes: PackageResources._023_retention_sql),
        Migration(name: "0024_purged", bytes: PackageResources._024_purged_sql),
        Migration(name: "0025_places", bytes: PackageResources._025_places_sql),
        Migration(name: "0026_history_places", bytes: PackageResources._026_history_places_sql),
        Migration(name: "0027_digests", bytes: PackageResources._027_digests_sql),
        Migration(name: "0028_search_slots", bytes: PackageResources._028_search_slots_sql),
        Migration(name: "0029_hits_view", bytes: PackageResources._029_hits_view_sql),
        Migration(name: "0030_short_views", bytes: PackageResources._030_short_views_sql),
        Migration(name: "0031_topics", bytes: PackageResources._031_topics_sql),
        Migration(name: "0032_merges", bytes: PackageResources._032_merges_sql),
        Migration(name: "0033_own_names", bytes: PackageResources._033_own_names_sql),
        Migration(name: "0034_bridges", bytes: PackageResources._034_bridges_sql),
        Migration(name: "0035_marks", bytes: PackageResources._035_marks_sql),
        Migration(name: "0036_pictures", bytes: PackageResources._036_pictures_sql),
        Migration(name: "0037_groups", bytes: PackageResources._037_groups_sql),
        Migration(name: "0038_named_views", bytes: PackageResources._038_named_views_sql),
    ]

    /// A data folder's catalog, in the same way.
    package static let catalog = [
        Migration(name: "catalog", bytes: PackageResources.catalog_sql),
        Migration(name: "catalog_0002", bytes: PackageResources.catalog_0002_sql),
        Migration(name: "catalog_0003", bytes: PackageResources.catalog_0003_sql),
        Migration(name: "catalog_0004", bytes: PackageResources.catalog_0004_sql),
    ]

    /// The schema of a shared archive on PostgreSQL, in the same way.
    package static let shared = [
        Migration(name: "0001_shared", bytes: PackageResources._001_shared_sql),
        Migration(name: "0002_encrypted", bytes: PackageResources._002_encrypted_sql),
        Migration(name: "0003_hits", bytes: PackageResources._003_hits_sql),
        Migration(name: "0004_hits", bytes: PackageResources._004_hits_sql),
        Migration(name: "0005_topics", bytes: PackageResources._005_topics_sql),
        Migration(name: "0006_marks", bytes: PackageResources._006_marks_sql),
        Migration(name: "0007_pictures", bytes: PackageResources._007_pictures_sql),
    ]

    /// The roles of a shared archive, with their rights; for a schema of the last version.
    package static let sharedRoles = Migration(name: "roles", bytes: PackageResources.roles_sql)

    /// "SBCT" in ASCII: what `PRAGMA application_id` says of a catalog.
    package static let catalogID: Int32 = 0x5342_4354

    /// "SBAR" in ASCII: what `PRAGMA application_id` says of a Scrollback account file.
    package static let applicationID: Int32 = 0x5342_4152
}

package struct Migration: Sendable {
    /// The file's name without `.sql`.
    package let name: String
    package let sql: String

    init(name: String, bytes: [UInt8]) {
        self.name = name
        sql = String(decoding: bytes, as: UTF8.self)
    }
}
