/** Completion scripts of `podvisor`: its words do not change, so the scripts hold them and start no program. Pure. */
import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What may follow words of the command line, e.g. `node` → `list cut kill heal`. */
function wordsOf(command: Command, before: string): readonly (readonly [before: string, words: string])[] {
  const own = [
    ...command.commands.map((child) => child.name()),
    ...command.options.flatMap(({ long }) => long ?? []),
    '--help',
  ];
  return [
    [before, own.join(' ')],
    ...command.commands.flatMap((child) => wordsOf(child, `${before} ${child.name()}`.trim())),
  ];
}

function bashFunction(program: Command): string {
  const cases = wordsOf(program, '').map(([before, words]) => `    "${before}") words="${words}" ;;`);
  return `_podvisor() {
  local before="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) before="\${before:+$before }$word" ;; esac
  done
  case "$before" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
`;
}

function fishLines(program: Command): string {
  const lines = wordsOf(program, '').map(([before, words]) => {
    const here = `test (string join ' ' -- (string match -v -- '-*' (commandline -opc)[2..-1])) = '${before}'`;
    return `complete -c podvisor -n "${here}" -a '${words}'`;
  });
  return `${lines.join('\n')}\n`;
}

export function completionOf(program: Command, shell: string): string {
  switch (shell) {
    case 'bash':
      return `# bash completion for podvisor: source <(./podvisor completion bash)\n${bashFunction(program)}complete -o default -F _podvisor podvisor ./podvisor\n`;
    case 'zsh':
      return `# zsh completion for podvisor: source <(./podvisor completion zsh)\nautoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashFunction(program)}complete -o default -F _podvisor podvisor\n`;
    case 'fish':
      return `# fish completion for podvisor: ./podvisor completion fish | source\n${fishLines(program)}`;
    default:
      throw new Error(`there is no completion for "${shell}": use ${SHELLS.join(', ')}`);
  }
}
