/**
 * The scripts that make shells ask us. Each calls `PROGRAM __complete -- WORDS…`, by the name that was typed, which
 * prints one candidate a line; where there is none, the shell offers files. Pure.
 */

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

const bash = (
  program: string,
): string => `# bash completion for ${program}: source <(${program} completion bash)
_${program}() {
  local IFS=$'\\n' words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  # bash splits at = and :, which ${program} does not.
  local line="\${COMP_LINE:0:COMP_POINT}"
  [[ "$line" == *[=:]* ]] && { IFS=' ' read -r -a words <<< "\${line#* }"; [[ "$line" == *' ' ]] && words+=(""); IFS=$'\\n'; }
  local current="\${words[-1]}"
  COMPREPLY=($(compgen -W "$("\${COMP_WORDS[0]}" __complete -- "\${words[@]}" 2>/dev/null)" -- "$current"))
  local cut="\${current%"\${current##*[=:]}"}"
  [[ -n "$cut" ]] && COMPREPLY=("\${COMPREPLY[@]#"$cut"}")
}
complete -o default -F _${program} ${program}
`;

// A shell without compinit has no compdef; one that finds this file in its fpath calls it for its first completion.
const zsh = (program: string): string => `#compdef ${program}
# zsh completion for ${program}: source <(${program} completion zsh)
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_${program}() {
  local -a candidates
  candidates=("\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( \${#candidates} )); then compadd -- "\${candidates[@]}"; else _files; fi
}
if [[ "$funcstack[1]" == _${program} ]]; then _${program}; else compdef _${program} ${program}; fi
`;

const fish = (
  program: string,
): string => `# fish completion for ${program}: ${program} completion fish | source
function __${program}_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l candidates ($words[1] __complete -- $words[2..-1] 2>/dev/null)
  if set -q candidates[1]
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c ${program} -f -a '(__${program}_complete)'
`;

const SCRIPTS: Readonly<Record<string, (program: string) => string>> = { bash, zsh, fish };

/** The script for a shell. */
export function completionScript(program: string, shell: string): string {
  const script = SCRIPTS[shell];
  if (script === undefined)
    throw new Error(`there is no completion for "${shell}": use ${SHELLS.join(', ')}`);
  return script(program);
}
