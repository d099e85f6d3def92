import Archive
import ChatModel
import Foundation
import Moves
import Sessions
import StreamChatWire
import TestSupport
import Testing

@testable import Rendering
@testable import Settings

/// The templates and the documentation of the configuration.
struct ConfigurationDocumentTests: ConfigurationSuite {
    @Test func `a printed configuration is valid when its blanks are filled`() throws {
        let template = try #require(KnownNetworks.template(network: "streamchat"))
        #expect(try problems(template).count == 2)
        let filled = template.replacing("server = \"\"", with: "server = \"tcp://127.0.0.1:5080\"")
            .replacing("nick = \"\"", with: "nick = \"archiver\"")
        #expect(try read(filled).accounts.count == 1)
        var uncommented = try read(filled.replacing(/# ([a-z_]+ = )/) { "\($0.1)" })
        #expect(uncommented.dataFolder?.hasSuffix("/.local/share/scrollback") == true)
        uncommented.dataFolder = nil
        #expect(try uncommented == read(filled))
        #expect(KnownNetworks.template(network: "nothing") == nil)
    }

    @Test func `the blanks of a template are reported at once`() throws {
        let found = try problems(try #require(KnownNetworks.template(network: "irc")))
        #expect(found.count == 3, "\(found)")
    }

    @Test func `the documentation has every key of a workspace's account`() throws {
        let documentation = try document("docs/configuration.md")
        let root = try ConfigurationFile.parse(workspace, path: "").table
        var reader = TableReader(root)
        var tables = reader.tables("account")
        var names: Set<String> = []
        _ = AccountConfiguration(&tables[0], names: &names)
        #expect(tables[0].keys.contains("attachments"))
        for key in tables[0].keys { #expect(documentation.contains("`\(key)`"), "\(key)") }
    }

    @Test func `the documentation and the template have every key`() throws {
        let documentation = try document("docs/configuration.md")
        let template = try #require(KnownNetworks.template(network: "streamchat"))
        var root = TableReader(try ConfigurationFile.parse(account, path: "").table)
        _ = root.string("data")
        var tables = root.tables("account")
        var names: Set<String> = []
        _ = AccountConfiguration(&tables[0], names: &names)
        #expect(tables[0].keys.count == 16)
        for key in root.keys + tables[0].keys {
            #expect(documentation.contains("| `\(key)` |"), "\(key)")
            #expect(
                template.contains("\(key) =") || template.contains("[[\(key)]]")
                    || template.contains("[[account.\(key)]]"), "\(key)")
        }
    }

    @Test func `the documentation and the template have every key of slp`() throws {
        let documentation = try document("docs/configuration.md")
        let template = try #require(KnownNetworks.template(network: "slp"))
        var table = TableReader(try ConfigurationFile.parse("", path: "").table)
        _ = SLPSettings(&table)
        for key in table.keys {
            #expect(documentation.contains("`\(key)`"), "\(key)")
            #expect(template.contains(key) || key == "allow_plaintext", "\(key)")
        }
        #expect(table.keys.contains("ca_file"))
    }
}
