/** Checksums of what comes from a source, written as `sha256:…`. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** What the bytes are summed up with. */
export function hashFor(checksum: string | undefined): Hash | undefined {
  if (checksum === undefined) return undefined;
  const [algorithm = ''] = checksum.split(':');
  if (!['sha256', 'sha512', 'sha1', 'md5'].includes(algorithm))
    throw new Error(`checksum ${checksum}: write it as sha256:…, sha512:…, sha1:… or md5:…`);
  return createHash(algorithm);
}

/** Throws when the sum is another one. */
export function checkHash(checksum: string | undefined, hash: Hash | undefined): void {
  if (checksum === undefined || hash === undefined) return;
  const [algorithm, wanted = ''] = checksum.split(':');
  const found = hash.digest('hex');
  if (found !== wanted.toLowerCase())
    throw new Error(
      `the ${algorithm} checksum is ${found}, not ${wanted}: the image is not the expected one`,
    );
}

/** Sums up the beginning of a file. */
export async function hashFile(path: string, bytes: number, hash: Hash, signal: AbortSignal): Promise<void> {
  for await (const chunk of createReadStream(path, { end: bytes - 1, signal })) hash.update(chunk as Buffer);
}
