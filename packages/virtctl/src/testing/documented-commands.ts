/** Commands of ours that a page shows, in blocks of `sh` and between backticks. Pure. */

export interface DocumentedCommand {
  readonly program: 'virtctl' | 'podvisor';
  /** Words before the first flag; the first ones are the command. */
  readonly words: readonly string[];
  readonly flags: readonly string[];
}

export function documentedCommands(markdown: string): DocumentedCommand[] {
  const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) =>
    block.replaceAll('\\\n', ' '),
  );
  const outside = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const spans = [...outside.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [...blocks.flatMap((block) => block.split('\n')), ...spans].flatMap((line) =>
    line
      // A comment, another command of the line, and what is not for us.
      .replace(/\s#\s.*$/, '')
      .split(/\s*(?:\\?\||&&|;|\$\()\s*/)
      .flatMap(commandOf),
  );
}

function commandOf(text: string): DocumentedCommand[] {
  const [, program = '', rest = ''] =
    /^(?:sudo )?(?:\.\/)?(?:bin\/)?(virtctl|podvisor) (.+)$/.exec(text.trim()) ?? [];
  if (program !== 'virtctl' && program !== 'podvisor') return [];
  const all = rest.split(/ -- /)[0]?.split(/[\s,]+/) ?? [];
  const first = all.findIndex((word) => word.startsWith('-'));
  return [
    {
      program,
      words: all.slice(0, first === -1 ? all.length : first),
      flags: all.filter((word) => /^-[a-z]$|^--[a-z]/.test(word)).map((word) => word.split('=')[0] ?? word),
    },
  ];
}
