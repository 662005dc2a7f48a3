/**
 * Fetches a published image and believes it only when its bytes have the checksum that the distribution publishes
 * beside it, in a list that it signed where it signs any. What is there already with that checksum is not fetched
 * again. Bounded in size and in idle time.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checksumOf, type NamedImage } from './catalogue.ts';
import { vouchedList } from './signature.ts';

const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_IMAGE_BYTES = 16 * 1024 ** 3;
const LIST_MS = 10_000;

export type Fetch = (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>;
/** `total` is unknown where the server does not say. */
export type OnProgress = (done: number, total: number | undefined) => void;

/** No answer from the image's server: there may be no internet. */
export class NoInternet extends Error {
  override readonly name = 'NoInternet';
}

export interface Downloaded {
  /** In the directory that was given. */
  readonly path: string;
  /** Why its checksum is believed, for people. */
  readonly believed: string;
}

export async function downloadImage(
  image: NamedImage,
  directory: string,
  get: Fetch,
  onProgress: OnProgress,
): Promise<Downloaded> {
  const { algorithm } = image.checksums;
  const file = basename(new URL(image.url).pathname);
  const { text, believed } = await believedList(image, directory, get);
  const wanted = checksumOf(text, file, algorithm);
  if (wanted === undefined)
    throw new Error(
      `${image.checksums.url} does not name ${file}: the image cannot be checked and is not used`,
    );
  const target = join(directory, `${image.name}-${wanted.slice(0, 16)}`);
  if (existsSync(target) && (await digestOf(target, algorithm)) === wanted) return { path: target, believed };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const partial = `${target}.partial`;
  try {
    const found = await fetchTo(image.url, partial, algorithm, get, onProgress);
    if (found !== wanted)
      throw new Error(`${image.url} has ${algorithm} ${found}, and ${wanted} is published: it is not used`);
    renameSync(partial, target);
  } finally {
    rmSync(partial, { force: true });
  }
  return { path: target, believed };
}

async function believedList(
  { checksums }: NamedImage,
  directory: string,
  get: Fetch,
): Promise<{ readonly text: string; readonly believed: string }> {
  const { url, signature } = checksums;
  const bytes = await readSmall(url, get).catch((error: unknown) => {
    if (error instanceof Unreachable) throw new NoInternet(error.message, { cause: error.cause });
    throw error;
  });
  if (signature.kind === 'none')
    return {
      text: Buffer.from(bytes).toString('utf8'),
      believed: `the list of checksums is not signed (${signature.because}): it is believed because ${new URL(url).host} sent it over HTTPS`,
    };
  const { text, fingerprint } = await vouchedList({ url, bytes, signature }, directory, (at) =>
    readSmall(at, get),
  );
  return { text, believed: `the list of checksums has a good signature of ${fingerprint}` };
}

class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** A list, a signature or a key. */
async function readSmall(url: string, get: Fetch): Promise<Uint8Array> {
  const response = await get(url, { signal: AbortSignal.timeout(LIST_MS) }).catch((error: unknown) => {
    throw new Unreachable(`${url} cannot be reached`, { cause: error });
  });
  if (!response.ok || response.body === null) throw new Error(`${url} answers ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of Readable.fromWeb(response.body as never)) {
    size += (chunk as Uint8Array).length;
    if (size > MAX_LIST_BYTES) throw new Error(`${url} is larger than ${MAX_LIST_BYTES} bytes`);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

async function fetchTo(
  url: string,
  target: string,
  algorithm: string,
  get: Fetch,
  onProgress: OnProgress,
): Promise<string> {
  const response = await get(url, { signal: AbortSignal.timeout(6 * 3_600_000) });
  if (!response.ok || response.body === null) throw new Error(`${url} answers ${response.status}`);
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const hash = createHash(algorithm);
  let done = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      done += chunk.length;
      hash.update(chunk);
      onProgress(done, Number.isNaN(length) ? undefined : length);
      next(done > MAX_IMAGE_BYTES ? new Error(`${url} is larger than 16 GiB`) : null, chunk);
    },
  });
  await pipeline(Readable.fromWeb(response.body as never), count, createWriteStream(target, { mode: 0o600 }));
  return hash.digest('hex');
}

async function digestOf(file: string, algorithm: string): Promise<string> {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
