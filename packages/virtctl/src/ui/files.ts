/** The files of the page, read once; nothing but them is served. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface PageFile {
  readonly body: Buffer;
  readonly type: string;
  /** Its name holds a hash of its content. */
  readonly isFixed: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** By path. Throws when the page was not built. */
export function pageFiles(directory: string): ReadonlyMap<string, PageFile> {
  const files = readdirSync(directory).flatMap((name) => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const file = { body: readFileSync(join(directory, name)), type, isFixed: /-[A-Z0-9]{8}\./.test(name) };
    return [[name === 'index.html' ? '/' : `/${name}`, file] as const];
  });
  return new Map(files);
}

/**
 * What a browser may do with the page: run its own scripts, style itself, talk to this server, and nothing else. The
 * terminal and the screen set styles of elements they make, which counts as inline style.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
