/** What an export offers, over TLS, to whoever has its token. */
import { timingSafeEqual } from 'node:crypto';
import { createReadStream, openSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { OwnedFd } from '@podvisor/sys';
import { type ServedBackup, serveBackup } from './backup.ts';
import { exactBytes } from './exact-bytes.ts';
import { tarOf } from './tar.ts';
import { entriesOf, openEntry } from './tree.ts';

const IMAGE = 'disk.img';
const TOKEN = 'x-kubevirt-export-token';

export interface ExportedVolume {
  /** Name of the claim, as in links. */
  readonly name: string;
  /** Directory, or device. */
  readonly path: string;
  readonly block: boolean;
}

export interface ExportServerOptions {
  readonly volumes: readonly ExportedVolume[];
  /** Disks of a backup that is pulled. */
  readonly backups?: readonly ServedBackup[];
  /** By path, e.g. `/internal/manifests/all`; `{{token}}` stands for the token. */
  readonly manifests: Readonly<Record<string, string>>;
  readonly token: () => string;
}

export function exportHandler(
  options: ExportServerOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    answer(options, request, response).catch(() => {
      // The client went away, or the disk did: a cut connection is no whole download.
      if (response.headersSent) response.destroy();
      else end(response, 500, 'the export could not be read');
    });
  };
}

async function answer(
  options: ExportServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'https://export');
  if (url.pathname === '/exportready') return end(response, 200, 'ready');
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405, 'only GET');
  const given = request.headers[TOKEN] ?? url.searchParams.get(TOKEN) ?? '';
  if (!isSame(String(given), options.token())) return end(response, 401, 'the token is missing or wrong');
  const manifest = options.manifests[url.pathname];
  if (manifest !== undefined)
    return end(response, 200, manifest.replaceAll('{{token}}', options.token()), 'application/yaml');
  const [, , name = '', first = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
  const backup = url.pathname.startsWith('/backups/')
    ? options.backups?.find((candidate) => candidate.name === name)
    : undefined;
  if (backup !== undefined && (await serveBackup(backup, first, url, request, response))) return;
  const volume = url.pathname.startsWith('/volumes/')
    ? options.volumes.find((candidate) => candidate.name === name)
    : undefined;
  if (volume === undefined) return end(response, 404, 'there is no such volume in this export');
  const body = first === 'dir' ? directory(volume, rest.join('/')) : content(volume, first);
  if (body === undefined) return end(response, 404, 'there is no such format of this volume');
  response.writeHead(200, body.headers);
  if (request.method === 'HEAD') {
    body.stream.destroy();
    return void response.end();
  }
  const whole = body.sizeBytes === undefined ? [] : [exactBytes(body.sizeBytes)];
  const packed = body.gzip ? [createGzip({ level: 1 })] : [];
  await pipeline([body.stream, ...whole, ...packed, response]);
}

interface Body {
  readonly stream: Readable;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly gzip: boolean;
  /** Of the stream, as it was when it was opened. */
  readonly sizeBytes?: number;
}

/** A plain file of the claim. */
function file({
  handle,
  entry: { sizeBytes },
}: NonNullable<ReturnType<typeof openEntry>>): Pick<Body, 'stream' | 'sizeBytes'> {
  return { stream: createReadStream('', { fd: handle.fd, end: Math.max(0, sizeBytes - 1) }), sizeBytes };
}

function content(volume: ExportedVolume, format: string): Body | undefined {
  const headers = { 'content-type': 'application/octet-stream' };
  if (format === 'disk.tar.gz' && !volume.block)
    return { stream: Readable.from(tarOf(volume.path)), headers, gzip: true };
  if (format !== IMAGE && format !== `${IMAGE}.gz`) return undefined;
  const gzip = format.endsWith('.gz');
  if (volume.block) {
    const handle = new OwnedFd(openSync(volume.path, 'r'));
    return { stream: createReadStream('', { fd: handle.fd }), headers, gzip };
  }
  const opened = openEntry(volume.path, IMAGE);
  if (opened?.entry.kind !== 'file') {
    opened?.handle.close();
    return undefined;
  }
  const { sizeBytes } = opened.entry;
  const sized = gzip ? headers : { ...headers, 'content-length': sizeBytes };
  return { ...file(opened), headers: sized, gzip };
}

/** A file, or a page that lists a directory. */
function directory(volume: ExportedVolume, path: string): Body | undefined {
  const opened = volume.block ? undefined : openEntry(volume.path, path);
  if (opened === undefined) return undefined;
  const { entry, handle } = opened;
  if (entry.kind === 'file')
    return {
      ...file(opened),
      headers: { 'content-type': 'application/octet-stream', 'content-length': entry.sizeBytes },
      gzip: false,
    };
  using _open = handle;
  const lines = entriesOf(volume.path, entry, handle).map(({ path: child, kind }) => {
    const name = child.split('/').at(-1) ?? '';
    const link = encodeURIComponent(name) + (kind === 'directory' ? '/' : '');
    return `<a href="${link}">${name.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)}</a>`;
  });
  const page = `<pre>\n${lines.join('\n')}\n</pre>\n`;
  return {
    stream: Readable.from([page]),
    headers: { 'content-type': 'text/html; charset=utf-8' },
    gzip: false,
  };
}

function isSame(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return token !== '' && one.length === other.length && timingSafeEqual(one, other);
}

function end(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': type });
  response.end(text.endsWith('\n') ? text : `${text}\n`);
}
