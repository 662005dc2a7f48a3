/** A flame graph as SVG: each call as wide as its time, what it calls below it. Pure. */
import type { Call } from './fold.ts';

const WIDTH = 1200;
const ROW = 15;
const TITLE = 24;
/** Narrower ones are left out, so that the picture stays small. */
const LEAST_WIDTH = 7;
const LETTER = 6.2;
const MAX_DEPTH = 20;

/** One graph below the other, all with the same scale. `title` stands above each. */
export function flameGraph(graphs: readonly { readonly title: string; readonly root: Call }[]): string {
  const widest = Math.max(...graphs.map(({ root }) => root.total), 1);
  let top = 0;
  const parts = graphs.map(({ title, root }) => {
    const boxes = boxesOf(root, WIDTH / widest);
    const depth = Math.max(0, ...boxes.map((box) => box.depth)) + 1;
    const body = boxes.map((box) => drawn(box, top + TITLE)).join('\n');
    const head = `<text x="4" y="${top + 17}" class="t">${escaped(title)}</text>`;
    top += TITLE + depth * ROW + 10;
    return `${head}\n${body}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" font-family="monospace" font-size="10">
<style>rect{stroke:#fff;stroke-width:.5}.t{font-size:13px}</style>
<rect width="${WIDTH}" height="${top}" fill="#fff"/>
${parts.join('\n')}
</svg>
`;
}

interface Box {
  readonly x: number;
  readonly width: number;
  readonly depth: number;
  readonly call: Call;
}

function boxesOf(root: Call, scale: number): readonly Box[] {
  const boxes: Box[] = [];
  const place = (call: Call, x: number, depth: number): void => {
    const width = call.total * scale;
    if (width < LEAST_WIDTH || depth >= MAX_DEPTH) return;
    boxes.push({ x, width, depth, call });
    let at = x;
    for (const inner of call.calls) {
      place(inner, at, depth + 1);
      at += inner.total * scale;
    }
  };
  let at = 0;
  for (const call of root.calls) {
    place(call, at, 0);
    at += call.total * scale;
  }
  return boxes;
}

function drawn({ x, width, depth, call: { name, total } }: Box, top: number): string {
  const y = top + depth * ROW;
  const letters = Math.floor((width - 4) / LETTER);
  const shown = letters < 4 ? '' : name.length <= letters ? name : `${name.slice(0, letters - 1)}…`;
  const box = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colour(name)}"><title>${escaped(name)}: ${total.toFixed(1)} ms</title></rect>`;
  if (shown === '') return box;
  return `${box}<text x="${(x + 2).toFixed(1)}" y="${y + 11}">${escaped(shown)}</text>`;
}

/** Ours warm, Node's own blue, packages of others green, V8 itself grey. */
function colour(name: string): string {
  const source = name.split(' ').at(-1) ?? '';
  if (source.startsWith('node:')) return '#a9c7e8';
  if (!name.includes(' ')) return '#c9c9c9';
  if (!source.includes('.ts')) return '#b3d9a8';
  return ['#f3c08a', '#f0a868', '#f6d08f'][source.length % 3] ?? '#f3c08a';
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
