/**
 * What a terminal showed as a picture for README: `podvisor up … | node scripts/terminal-picture.ts COMMAND > FILE.svg`.
 * Lines appear one after the other at the speed at which they were written, where they say when (`+1.20 s`); a viewer
 * that does not move pictures shows them all.
 */
import { text } from 'node:stream/consumers';

const [command = ''] = process.argv.slice(2);
const LINE = 18;
const CHARACTER = 7.8;
const MARGIN = 16;
const WIDTH = 108;

const lines = [
  `$ ${command}`,
  ...(await text(process.stdin))
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapped(line)),
];

function wrapped(line: string): readonly string[] {
  return line.length <= WIDTH ? [line] : [line.slice(0, WIDTH), ...wrapped(`  ${line.slice(WIDTH)}`)];
}

function escaped(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Seconds after the start at which each line is there. */
function times(): readonly number[] {
  let now = 0;
  let base = 0;
  return lines.map((line) => {
    const told = /\+(\d+\.\d+) s$/.exec(line)?.[1];
    if (told === undefined) now += 0.15;
    else {
      // The first that says a time says it from its own beginning.
      base ||= now;
      now = Math.max(now, base + Number(told));
    }
    return now;
  });
}

const colour = (line: string): string =>
  line.startsWith('$') ? '#8be9fd' : line.startsWith('READY') ? '#50fa7b' : '#e6e6e6';

const at = times();
const height = lines.length * LINE + 2 * MARGIN;
const width = Math.ceil(WIDTH * CHARACTER + 2 * MARGIN);
const drawn = lines.map(
  (line, index) =>
    `<text x="${MARGIN}" y="${MARGIN + (index + 1) * LINE - 5}" fill="${colour(line)}" style="animation-delay:${(at[index] ?? 0).toFixed(2)}s" xml:space="preserve">${escaped(line)}</text>`,
);
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(command)}">
<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;animation:shown .01s both}@keyframes shown{from{opacity:0}to{opacity:1}}@media (prefers-reduced-motion:reduce){text{animation:none}}</style>
<rect width="100%" height="100%" rx="8" fill="#1e1f29"/>
${drawn.join('\n')}
</svg>
`);
