/** The scripts that make shells ask us. Each calls `virtctl __complete WORDS…`, which prints one candidate a line. */

const BASH = `# bash completion for virtctl: source <(virtctl completion bash)
_virtctl() {
  local IFS=$'\\n' words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  # bash splits at = and :, which virtctl does not.
  local line="\${COMP_LINE:0:COMP_POINT}"
  [[ "$line" == *[=:]* ]] && { IFS=' ' read -r -a words <<< "\${line#* }"; [[ "$line" == *' ' ]] && words+=(""); IFS=$'\\n'; }
  local current="\${words[-1]}"
  COMPREPLY=($(compgen -W "$("\${COMP_WORDS[0]}" __complete -- "\${words[@]}" 2>/dev/null)" -- "$current"))
  local cut="\${current%"\${current##*[=:]}"}"
  [[ -n "$cut" ]] && COMPREPLY=("\${COMPREPLY[@]#"$cut"}")
}
complete -o default -F _virtctl virtctl
`;

const ZSH = `#compdef virtctl
# zsh completion for virtctl: source <(virtctl completion zsh)
_virtctl() {
  local -a candidates
  candidates=("\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( \${#candidates} )); then compadd -- "\${candidates[@]}"; else _files; fi
}
compdef _virtctl virtctl
`;

const FISH = `# fish completion for virtctl: virtctl completion fish | source
function __virtctl_complete
  set -l words (commandline -opc) (commandline -ct)
  virtctl __complete -- $words[2..-1] 2>/dev/null
end
complete -c virtctl -f -a '(__virtctl_complete)'
`;

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** The script for a shell. */
export function completionScript(shell: string): string {
  const script = SCRIPTS[shell];
  if (script === undefined)
    throw new Error(`there is no completion for "${shell}": use ${Object.keys(SCRIPTS).join(', ')}`);
  return script;
}
