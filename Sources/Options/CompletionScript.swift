extension CompletionShell {
    /// The script that makes the shell ask the program, whose name is `scrollback`, for candidates.
    package var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    /// Returns the script that the words ask for; nil if they ask for none.
    ///
    /// - Throws: ``CommandLineError`` for an unknown shell.
    package static func script(for words: [String]) throws -> String? {
        let option = "--generate-completion-script"
        guard let first = words.first, first == option || first.utf8.starts(with: "\(option)=".utf8) else { return nil }
        let name = first == option ? words.dropFirst().first ?? "" : String(first.dropFirst(option.count + 1))
        guard let shell = CompletionShell(rawValue: name) else {
            throw CommandLineError(reason: .unknownShell(name))
        }
        return shell.script
    }

    private static let bashScript = #"""
        #!/bin/bash

        _scrollback() {
            local -a lines
            mapfile -t lines < <("${COMP_WORDS[0]}" ---completion bash "${COMP_WORDS[@]::COMP_CWORD}" "$2" 2> /dev/null)
            case "${lines[0]}" in
            files*)
                local suffix
                mapfile -t COMPREPLY < <(compgen -d -- "$2")
                for suffix in ${lines[0]#files}; do
                    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -X "!*.$suffix" -- "$2")
                done
                [[ ${lines[0]} != files ]] || mapfile -t COMPREPLY < <(compgen -f -- "$2")
                ;;
            folders) mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
            *)
                COMPREPLY=("${lines[@]:1}")
                local all
                printf -v all %s "${COMPREPLY[@]}"
                # Without names to quote, words get no slash from folders of the same name.
                [[ $all == *[^[:alnum:]/_-]* ]] || compopt +o filenames 2> /dev/null
                ;;
            esac
        }

        # Quotes the words as names of files.
        complete -o filenames -F _scrollback scrollback
        """#

    private static let zshScript = #"""
        #compdef scrollback

        _scrollback() {
            local -a lines plain described
            local line tab=$'\t'
            lines=("${(@f)$("${words[1]}" ---completion zsh "${(@)words[1,CURRENT]}" 2> /dev/null)}")
            # The name of a file follows "--config=".
            [[ ${lines[1]} == words ]] || compset -P '--*='
            case "${lines[1]}" in
            "files "*) _files -g "*.(|${${lines[1]#files }// /|})" ;;
            files) _files ;;
            folders) _files -/ ;;
            *)
                for line in "${(@)lines[2,-1]}"; do
                    if [[ $line == *$tab* ]]; then
                        described+=("${${line%%$tab*}//:/\\:}:${line#*$tab}")
                    elif [[ -n $line ]]; then
                        plain+=("${line//:/\\:}")
                    fi
                done
                (( $#described )) && _describe -V '' described
                (( $#plain )) && _describe -V '' plain
                ;;
            esac
        }

        if [ "$funcstack[1]" = "_scrollback" ]; then
            _scrollback "$@"
        else
            compdef _scrollback scrollback
        fi
        """#

    private static let fishScript = #"""
        function __scrollback_complete
            # Since fish 4, -x gives the words without quotes, as -o did before.
            set -l words (commandline -pxc 2> /dev/null; or commandline -poc)
            set -l typed (commandline -ct | string unescape; or commandline -ct)
            set -l lines (command $words[1] ---completion fish $words "$typed" 2> /dev/null)
            switch "$lines[1]"
                case 'files*'
                    set -l option (string match -r -- '^--[^=]*=' "$typed")
                    __fish_complete_path (string replace -- "$option" '' "$typed") | string replace -r -- '^' "$option"
                case folders
                    __fish_complete_directories "$typed" ''
                case '*'
                    printf '%s\n' $lines[2..]
            end
        end

        complete -c scrollback -f -a '(__scrollback_complete)'
        """#
}
