/// Konversation's sentences about modes of channels, in English and Korean (`Channel::updateMode` of 22.12). `%1` is the
/// person, `%2` the mode's value.
enum KonversationModes {
    static let all: [(mode: String, shapes: [SentenceShape])] = people + masks + values + flags

    private static let people: [(String, [SentenceShape])] = [
        ("+o", ["%1 gives channel operator privileges to %2.", "%1 님이 %2 님에게 대화방 운영자 권한을 주었습니다."]),
        ("-o", ["%1 takes channel operator privileges from %2.", "%1 님이 %2 님의 대화방 운영자 권한을 뺏었습니다."]),
        ("+h", ["%1 gives channel halfop privileges to %2.", "%1 님이 %2 님에게 대화방 부운영자 권한을 주었습니다."]),
        ("-h", ["%1 takes channel halfop privileges from %2.", "%1 님이 %2 님의 대화방 부운영자 권한을 뺏었습니다."]),
        ("+a", ["%1 gives channel admin privileges to %2.", "%1 님이 %2 님에게 대화방 관리자 권한을 주었습니다."]),
        ("-a", ["%1 takes channel admin privileges from %2.", "%1 님이 %2 님의 대화방 관리자 권한을 뺏었습니다."]),
        ("+q", ["%1 gives channel owner privileges to %2.", "%1 님이 대화방 소유자 권한을 %2 님에게 주었습니다."]),
        ("-q", ["%1 takes channel owner privileges from %2.", "%1 님이 %2 님의 대화방 소유자 권한을 뺏었습니다."]),
        ("+v", ["%1 gives %2 permission to talk.", "%1 님이 %2 님에게 발언권을 주었습니다."]),
        ("-v", ["%1 takes the permission to talk from %2.", "%1 님이 %2 님의 발언권을 뺏었습니다."]),
    ]

    private static let masks: [(String, [SentenceShape])] = [
        ("+b", ["%1 sets a ban on %2.", "%1 님이 %2 님의 입장을 금지했습니다."]),
        ("-b", ["%1 removes the ban on %2.", "%1 님이 %2 님의 입장을 다시 허용했습니다."]),
        ("+e", ["%1 sets a ban exception on %2.", "%1 님이 %2 님에게 입장 금지 예외를 설정했습니다."]),
        ("-e", ["%1 removes the ban exception on %2.", "%1 님이 %2 님의 입장 금지 예외를 해제했습니다."]),
        ("+q", ["%1 sets a quiet on %2."]), ("-q", ["%1 removes the quiet on %2."]),
        ("+I", ["%1 sets invitation mask %2."]), ("-I", ["%1 removes the invitation mask %2."]),
    ]

    private static let values: [(String, [SentenceShape])] = [
        ("+k", ["%1 sets the channel key to '%2'.", "%1 님이 대화방 암호를 '%2'(으)로 지정했습니다."]),
        ("-k", ["%1 removes the channel key.", "%1 님이 대화방 암호를 삭제했습니다."]),
        ("+l", ["%1 sets the channel limit to %2 nicks.", "%1 님이 대화방 최대 인원 수를 %2명으로 제한했습니다."]),
        ("+l 1", ["%1 sets the channel limit to 1 nick."]),
        ("-l", ["%1 removes the channel limit.", "%1 님이 대화방 최대 인원 수 제한을 해제했습니다."]),
    ]

    private static let flags: [(String, [SentenceShape])] = [
        ("+t", ["%1 switches on 'topic protection'.", "%1 님이 '대화방 주제 보호'를 설정했습니다."]),
        ("-t", ["%1 switches off 'topic protection'.", "%1 님이 '대화방 주제 보호'를 해제했습니다."]),
        ("+n", ["%1 sets the channel mode to 'no messages from outside'.", "%1 님이 이 대화방에 '외부 메시지 금지' 모드를 설정했습니다."]),
        ("-n", ["%1 sets the channel mode to 'allow messages from outside'.", "%1 님이 이 대화방에 '외부 메시지 허용' 모드를 설정했습니다."]),
        ("+m", ["%1 sets the channel mode to 'moderated'.", "%1 님이 이 대화방에 '중재됨' 모드를 설정했습니다."]),
        ("-m", ["%1 sets the channel mode to 'unmoderated'.", "%1 님이 이 대화방의 '중재됨' 모드를 해제했습니다."]),
        ("+i", ["%1 sets the channel mode to 'invite only'.", "%1 님이 이 대화방에 '초대 전용' 모드를 설정했습니다."]),
        ("-i", ["%1 removes the 'invite only' mode from the channel."]),
        ("+s", ["%1 sets the channel mode to 'secret'.", "%1 님이 이 대화방 모드를 '비밀'로 설정했습니다."]),
        ("-s", ["%1 sets the channel mode to 'visible'.", "%1 님이 이 대화방 모드를 '외부에서 볼 수 있음'으로 설정했습니다."]),
        ("+p", ["%1 sets the channel mode to 'private'.", "%1 님이 이 대화방 모드를 '비공개'로 설정했습니다."]),
        ("-p", ["%1 sets the channel mode to 'public'.", "%1 님이 이 대화방 모드를 '공개'로 설정했습니다."]),
        ("+c", ["%1 sets the channel mode to 'no colors allowed'.", "%1 님이 이 대화방에 '색상 사용 금지' 모드를 설정했습니다."]),
        ("-c", ["%1 sets the channel mode to 'allow color codes'.", "%1 님이 이 대화방에 '색상 사용 허용' 모드를 설정했습니다."]),
    ]
}
