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
    func `a table's columns are proposed by names and values`(text: String, format: String, columns: String) throws {
        let proposal = try #require(propose(text, path: "logs/chat.2026-11-21.csv"))
        #expect((proposal.format, proposal.columns) == (format, columns))
        #expect(proposal.room == (columns.contains("room=") ? nil : "chat"))
    }

    @Test(arguments: [
        // WeChatMsg: the text's name only ends as one, and the times as text are longer.
        (
            "localId,TalkerId,IsSender,CreateTime,StrContent,StrTime,Sender\n"
                + "1,3,0,1795242191,hi,2026-11-21 06:23:11,wxid_a\n2,3,1,1795242192,ho,2026-11-21 06:23:12,wxid_b\n",
            "time=CreateTime,sender=Sender,text=StrContent,own=IsSender"
        ),
        // The longest column has ids.
        (
            "guid,date,handle,words\n01234567-89ab-cdef-0123-456789abcdef,2026-11-21 06:23:11,+15551234567,hi\n",
            "time=date,text=words"
        ),
        ("date,SenderId,words\n2026-11-21 06:23:11,a-rather-long-name,hi\n", "time=date,text=words"),
        // A column with the name of a text has times or numbers.
        ("date,message,words\n2026-11-21 06:23:11,17,hi\n", "time=date,text=words"),
        ("date,text,words\n2026-11-21 06:23:11,2026-11-21 06:23:12,hi\n", "time=date,text=words"),
        (
            #"{"date": 1795242191, "is_from_me": true, "handle": "bob", "text": "hi"}"# + "\n"
                + #"{"date": 1795242192, "is_from_me": false, "handle": "bob", "text": "ho"}"# + "\n",
            "time=date,text=text,own=is_from_me"
        ),
        (
            "Session,Message Date,Type,Sender Name,Text\nbob,2026-11-21 06:23:11,Incoming,bob,hi\n"
                + "bob,2026-11-21 06:23:12,Outgoing,,ho\n",
            "time=Message Date,sender=Sender Name,text=Text,own=Type"
        ),
        (
            "消息ID,类型,发送人,时间,内容\n12345678901,文本,小明,2026-11-21 06:23:11,你好\n",
            "time=时间,sender=发送人,text=内容"
        ),
        // Words that say nothing of one's own messages.
        ("date,from,direction,text\n2026-11-21 06:23:11,alice,north,hi\n", "time=date,sender=from,text=text"),
        (
            "date,from,direction,text\n2026-11-21 06:23:11,a,Outgoing,hi\n",
            "time=date,sender=from,text=text,own=direction"
        ),
    ])
    func `times and ids are not the text, and the owner's messages are recognised`(
        text: String, columns: String
    ) throws {
        #expect(try #require(propose(text)).columns == columns)
    }

    @Test(arguments: [
        #"{"userId": "8:a", "exportDate": "2026-11-21T06:23:11", "conversations": [{"id": "8:b"}]}"#,
        #"{"name": "a", "exported": "2026-11-21T06:23:11Z", "text": "x", "meta": {"messages": [{"id": 1}]}}"#,
        #"{"name": "a", "exported": "2026-11-21T06:23:11Z", "version": "1.0"}"#,
        #"[{"ID": 1, "Timestamp": "2026-11-21 06:23:11", "Words": "hi"},"# + "\n"
            + #"{"ID": 2, "Timestamp": "2026-11-21 06:23:12", "Words": "ho"}]"#,
        "<a t=\"1\", b>\n<b 2026-11-21 06:23:11, hi>\n",
        "date,number,type,status\n2026-11-21 06:23:11,15551234567,missed,read\n",
        "id,date,number\n1,2026-11-21 06:23:11,15551234567\n2,2026-11-21 06:23:12,15551234568\n",
    ])
    func `a JSON object, a list, markup and a table without texts get no proposal`(text: String) {
        #expect(propose(text) == nil)
    }

    @Test func `a table of thousands of columns is analysed in linear time`() {
        let header = (0..<2000).map { "c\($0)" }.joined(separator: ",")
        let values = String(repeating: "1,", count: 1998) + "2026-11-21 06:23:11,hi there"
        #expect(propose("\(header)\n\(values)\n")?.columns == "time=c1998,text=c1999")
    }

    @Test(arguments: [
        "", "words\n", "a,b\n", "a,b\n1,2\n", "name,price\nfoo,12\nbar,13\n", "one, two and three\nfour\n", "{}",
        "[1, 2]",
        #"{"a": 1, "b": 2}"#, "\u{0},2026-11-21 06:23:11\n", "2026-11-21 06:23:11 INFO started\n",
    ])
    func `a table without messages gets no proposal`(text: String) {
        #expect(propose(text) == nil)
    }

    @Test(arguments: [
        "Date,User,Message\n2026-11-21 06:23:11,alice,hi\n", "Date;Time;From;Text\n21.11.2026;06:23;alice;hi\n",
        "2026-11-21 06:23:11,alice,hi\n2026-11-21 06:23:12,alice,hi\n",
        "{\"ts\": 1795242191, \"user\": {\"name\": \"alice\"}, \"text\": \"hi\"}\n",
    ])
    func `the proposed columns read the table`(text: String) throws {
        let proposal = try #require(propose(text))
        let format: any LogFormat.Type = proposal.format == "csv" ? CSVFormat.self : NamedJSONFormat.self
        let read = try LogReading(
            format, text, path: "chat.csv", room: proposal.room,
            choices: SourceChoices(columns: try ColumnMapping(proposal.columns)))
        #expect(!read.messages.isEmpty && read.unreadable == [])
    }
}
