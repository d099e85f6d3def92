import Testing

@testable import LogFormats

struct TableProposalTests {
    private func propose(_ text: String, path: String = "chat.csv") -> TableProposal? {
        TableProposal(LogReading.source(Array(text.utf8), path: path))
    }

    @Test(arguments: [
        ("Date,User,Message\n2026-11-21 06:23:11,alice,hi\n", "csv", "time=Date,sender=User,text=Message"),
        (
            "AuthorID,Author,Date,Content,Attachments\n7,alice,2026-11-21T06:23:11.000+00:00,hi,\n", "csv",
            "time=Date,sender=Author,text=Content"
        ),
        ("Date;Time;From;Text\n21.11.2026;06:23;alice;hi\n", "csv", "time=Date+Time,sender=From,text=Text"),
        (
            "id\tcreated_at\tname\tchannel_name\tbody\n1\t1795242191\talice\t#a\thi\n", "csv",
            "time=created_at,sender=name,text=body,room=channel_name"
        ),
        ("2026-11-21 06:23:11,alice,hi there\n2026-11-21 06:23:12,bob,ho\n", "csv", "time=1,text=3"),
        ("when,\"who, or what\",words\n2026-11-21 06:23:11,a,hi there\n", "csv", "time=when,text=words"),
        ("날짜,보낸사람,메시지\n2026-11-21 06:23:11,민수,안녕\n", "csv", "time=날짜,sender=보낸사람,text=메시지"),
        (
            #"{"ts": 1795242191, "user": {"name": "alice"}, "text": "hi"}"# + "\n", "jsonl",
            "time=ts,sender=user.name,text=text"
        ),
        (
            #"{"created_at": "2026-11-21T06:23:11Z", "author": "alice", "content": "hi", "channel": "a"}"#, "jsonl",
            "time=created_at,sender=author,text=content,room=channel"
        ),
    ])
    func `the columns of a table are proposed by names and values`(text: String, format: String, columns: String) throws
    {
        let proposal = try #require(propose(text, path: "logs/chat.2026-11-21.csv"))
        #expect((proposal.format, proposal.columns) == (format, columns))
        #expect(proposal.room == (columns.contains("room=") ? nil : "chat"))
    }

    @Test(arguments: [
        "", "words\n", "a,b\n", "a,b\n1,2\n", "name,price\nfoo,12\nbar,13\n", "one, two and three\nfour\n", "{}",
        "[1, 2]",
        #"{"a": 1, "b": 2}"#, "\u{0},2026-11-21 06:23:11\n", "2026-11-21 06:23:11 INFO started\n",
    ])
    func `what is no table of messages is not proposed`(text: String) {
        #expect(propose(text) == nil)
    }

    @Test(arguments: [
        "Date,User,Message\n2026-11-21 06:23:11,alice,hi\n", "Date;Time;From;Text\n21.11.2026;06:23;alice;hi\n",
        "2026-11-21 06:23:11,alice,hi\n2026-11-21 06:23:12,alice,hi\n",
        "{\"ts\": 1795242191, \"user\": {\"name\": \"alice\"}, \"text\": \"hi\"}\n",
    ])
    func `what is proposed reads the table`(text: String) throws {
        let proposal = try #require(propose(text))
        let format: any LogFormat.Type = proposal.format == "csv" ? CSVFormat.self : NamedJSONFormat.self
        let read = try LogReading(
            format, text, path: "chat.csv", room: proposal.room,
            choices: SourceChoices(columns: try ColumnMapping(proposal.columns)))
        #expect(!read.messages.isEmpty && read.unreadable == [])
    }
}
