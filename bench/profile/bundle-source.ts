/** Which source file a line of a bundle comes from: esbuild names it above each part. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SourceOf } from './fold.ts';

const PART = /^\/\/ ((?:packages|node_modules)\/\S+)$/;

export function bundleSources(): SourceOf {
  const parts = new Map<string, readonly (string | undefined)[]>();
  return (url, line) => {
    if (url === '') return '';
    if (url.startsWith('node:')) return url;
    let sources = parts.get(url);
    if (sources === undefined) parts.set(url, (sources = sourcesByLine(url)));
    return sources[line] ?? url.slice(url.lastIndexOf('/') + 1);
  };
}

function sourcesByLine(url: string): readonly (string | undefined)[] {
  let current: string | undefined;
  try {
    const text = readFileSync(url.startsWith('file:') ? fileURLToPath(url) : url, 'utf8');
    return text.split('\n').map((line) => {
      const path = PART.exec(line)?.[1];
      if (path !== undefined) current = shortPath(path);
      return current;
    });
  } catch {
    return [];
  }
}

/** `apiserver/verbs/create.ts`, or the name of a package of others. */
function shortPath(path: string): string {
  if (path.startsWith('node_modules/')) return /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path;
  return path.replace(/^packages\//, '').replace('/src/', '/');
}
