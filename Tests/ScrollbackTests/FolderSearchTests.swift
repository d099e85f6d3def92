import Foundation
import Testing

@testable import Scrollback
@testable import Settings

struct FolderSearchTests {
    private func search(
        data: String? = nil, config: String? = nil, _ environment: [String: String] = [:], files: Set<String> = []
    ) -> FolderSearch {
        FolderSearch(
            data: data, config: config, environment: ["HOME": "/home/alice"].merging(environment) { $1 },
            isFile: { files.contains($0) })
    }

    @Test func `a configuration is searched for in order`() throws {
        let everywhere: Set = ["a", "b", "scrollback.toml", "/x/scrollback/scrollback.toml"]
        let environment = ["SCROLLBACK_CONFIG": "b", "XDG_CONFIG_HOME": "/x"]
        #expect(try search(config: "a", environment, files: everywhere).configurationFile() == "a")
        #expect(try search(environment, files: everywhere).configurationFile() == "b")
        #expect(try search(["XDG_CONFIG_HOME": "/x"], files: everywhere).configurationFile() == "scrollback.toml")
        #expect(
            try search(["XDG_CONFIG_HOME": "/x"], files: ["/x/scrollback/scrollback.toml"]).configurationFile()
                == "/x/scrollback/scrollback.toml")
        let home = "/home/alice/.config/scrollback/scrollback.toml"
        #expect(try search(["XDG_CONFIG_HOME": "relative"], files: [home]).configurationFile() == home)
        #expect(try search().configurationFile() == nil)
    }

    @Test func `a named configuration must exist`() {
        #expect(throws: ServiceError.self) { try search(config: "a").configurationFile() }
        #expect(throws: ServiceError.self) { try search(["SCROLLBACK_CONFIG": "b"]).configurationFile() }
    }

    @Test func `a named folder has priority, and the configuration is not read`() throws {
        let config = "/dev/null/scrollback.toml"
        #expect(try search(data: "a", config: config, ["SCROLLBACK_DATA": "b"], files: [config]).dataFolder() == "a")
        #expect(try search(config: config, ["SCROLLBACK_DATA": "b"], files: [config]).dataFolder() == "b")
    }

    @Test func `a named configuration must exist even if the folder is named`() {
        #expect(throws: ServiceError.self) { try search(data: "a", config: "missing").dataFolder() }
        #expect(throws: ServiceError.self) { try search(data: "a", config: "missing").existingDataFolder() }
        #expect(throws: ServiceError.self) {
            try search(["SCROLLBACK_CONFIG": "missing", "SCROLLBACK_DATA": "b"]).dataFolder()
        }
    }

    @Test func `the configuration's folder comes next, despite other mistakes in it`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/scrollback.toml"
            try "data = \"archive\"\nnonsense = 1\n".write(toFile: path, atomically: true, encoding: .utf8)
            #expect(try search(config: path, files: [path]).dataFolder() == folder + "/archive")
        }
    }

    @Test func `the last choice is the desktop standard's folder`() throws {
        #expect(try search().dataFolder() == "/home/alice/.local/share/scrollback")
        #expect(try search(["XDG_DATA_HOME": "/d"]).dataFolder() == "/d/scrollback")
        #expect(
            try search(["XDG_DATA_HOME": "", "SCROLLBACK_DATA": ""]).dataFolder()
                == "/home/alice/.local/share/scrollback")
    }
}
