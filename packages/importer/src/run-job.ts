/** Does what the Pod was made for. */
import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { type ImportJob, importPaths, UPLOAD_PORT } from '@podvisor/api';
import { findContainerDisk } from '@podvisor/storage';
import { importArchive } from './archive.ts';
import { importFile, type ImportOptions, importStream, keptBytes } from './import.ts';
import { packedLimit } from './limits.ts';
import type { Progress } from './progress.ts';
import { type AwsKeys, regionOf, signedHeaders } from './source/aws-signature.ts';
import { type HttpOptions, openHttp } from './source/http.ts';
import { type ByteSource, SourceChangedError } from './source/source.ts';
import { awaitUpload } from './source/upload.ts';

/** Uploads come over lines that break: less is sent twice. */
const NOTE_UPLOADS_EVERY_BYTES = 16 * 1024 * 1024;

type HttpSource = Extract<ImportJob['source'], { kind: 'http' }>;

export async function runJob(job: ImportJob, progress: Progress, signal: AbortSignal): Promise<void> {
  if (job.source.kind === 'none') return;
  const options: ImportOptions = {
    job,
    ...placesOf(job),
    device: importPaths.device,
    progress,
  };
  const take = (source: ByteSource, more: Partial<ImportOptions>): Promise<void> =>
    job.contentType === 'archive'
      ? importArchive(source, importPaths.data, { progress, ...more }, signal)
      : importStream(source, { ...options, ...more }, signal);
  switch (job.source.kind) {
    case 'http':
      return fromHttp(job.source, (source, name) => take(source, { name }), signal);
    case 'image':
      return importFile(findContainerDisk(importPaths.image), options, signal);
    case 'upload': {
      const ours = { name: 'upload', noteEveryBytes: NOTE_UPLOADS_EVERY_BYTES };
      return awaitUpload(
        {
          port: UPLOAD_PORT,
          receive: (source, received) => take(source, { ...ours, received }),
          keptBytes: (version) => keptBytes(version, { ...options, ...ours }),
        },
        signal,
      );
    }
  }
}

/**
 * What has to be converted lies in the claim where there is room for both, so that another Pod can go on with it; a
 * claim with a size of its own has none to spare.
 */
function placesOf({ volumeMode, capacityBytes }: ImportJob): Pick<ImportOptions, 'directory' | 'scratch'> {
  if (volumeMode === 'Block') return { directory: importPaths.scratch };
  const { bavail, bsize } = statfsSync(importPaths.data);
  const hasRoom = bavail * bsize >= capacityBytes + packedLimit(capacityBytes);
  return { directory: importPaths.data, ...(hasRoom ? {} : { scratch: importPaths.scratch }) };
}

/** A source that changed under our hands is read once more, from its beginning. */
async function fromHttp(
  source: HttpSource,
  take: (bytes: ByteSource, name: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const options = httpOptions(source);
  try {
    await take(await openHttp(options, signal), source.url);
  } catch (error) {
    if (!(error instanceof SourceChangedError)) throw error;
    await take(await openHttp(options, signal), source.url);
  }
}

function httpOptions(source: HttpSource): HttpOptions {
  const lines = [...(source.headers ?? [])];
  for (let i = 0; i < (source.secretHeaders ?? 0); i += 1)
    lines.push(...filesIn(join(importPaths.headers, String(i))));
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  const keys = source.hasSecret === true ? readKeys() : undefined;
  if (keys !== undefined && source.protocol !== 's3') {
    const pair = `${keys.accessKeyId}:${keys.secretKey}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  const ca = source.hasCertificates === true ? filesIn(importPaths.certificates).join('\n') : undefined;
  const { url } = source;
  const sign: HttpOptions['sign'] =
    keys !== undefined && source.protocol === 's3'
      ? (wanted, at) =>
          signedHeaders({ url: at, region: regionOf(url), keys, nowMs: Date.now(), headers: wanted })
      : undefined;
  return { url, headers, ...(sign === undefined ? {} : { sign }), ...(ca === undefined ? {} : { ca }) };
}

function readKeys(): AwsKeys {
  const read = (name: string): string => readFileSync(join(importPaths.secret, name), 'utf8').trim();
  return { accessKeyId: read('accessKeyId'), secretKey: read('secretKey') };
}

/** Texts of the keys of a mounted secret or config map. */
function filesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => !name.startsWith('..'))
    .map((name) => readFileSync(join(directory, name), 'utf8').trim());
}
