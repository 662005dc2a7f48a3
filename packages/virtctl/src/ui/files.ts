/** The files of the page, read once; nothing but them is served. */
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface PageFile {
  readonly body: Buffer;
  readonly compressed: Buffer;
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

/** By path, of a directory that the build made. Throws when the page was not built. */
export function pageFiles(directory: string): ReadonlyMap<string, PageFile> {
  return filesByPath(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name))]));
}

/** By path. */
export function filesByPath(
  contents: readonly (readonly [name: string, body: Buffer])[],
): ReadonlyMap<string, PageFile> {
  const files = contents.flatMap(([name, body]) => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const file = { body, compressed: gzipSync(body), type, isFixed: /-[A-Z0-9]{8}\./.test(name) };
    return [[name === 'index.html' ? '/' : `/${name}`, file] as const];
  });
  return new Map(files);
}

export function sendFile(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { body, compressed, type, isFixed }: PageFile,
): void {
  const isCompressed = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
  response.writeHead(200, {
    'content-type': type,
    'cache-control': isFixed ? 'max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(isCompressed ? compressed : body);
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
