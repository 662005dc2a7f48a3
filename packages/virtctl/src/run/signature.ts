/**
 * Whether a list of checksums was signed by its distribution. The key is named in the catalogue by its whole fingerprint;
 * where its bytes come from (a keyring of this machine, what was fetched before, a server) therefore does not matter.
 * gpgv judges, with a keyring that holds nothing but the keys of the catalogue, and only text that it vouches for is read.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, ToolError } from '@podvisor/sys';
import type { ListSignature, SigningKey } from './catalogue.ts';
import { binaryKeyring, keyOf } from './openpgp-key.ts';

/** Reads a small file of the web whole. */
export type ReadUrl = (url: string) => Promise<Uint8Array>;

export interface SignedList {
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly signature: Exclude<ListSignature, { readonly kind: 'none' }>;
}

export interface Vouched {
  /** What was signed; of a list with its signature inside, that part alone. */
  readonly text: string;
  readonly fingerprint: string;
}

/** Throws, with what to do, unless one of the catalogue's keys signed the list. `directory` keeps keys. */
export async function vouchedList(list: SignedList, directory: string, read: ReadUrl): Promise<Vouched> {
  const detached = list.signature.kind === 'detached' ? await read(list.signature.url) : undefined;
  const known = list.signature.keys.map((key) => knownKey(key, directory));
  const first = known.some((key) => key !== undefined)
    ? await judge(list, detached, known)
    : { kind: 'unknown' as const, words: '' };
  // A key that was kept may lack a part that signs by now: it is fetched anew before anybody is told.
  const verdict =
    first.kind === 'unknown'
      ? await judge(list, detached, await fetchedKeys(list.signature.keys, directory, read))
      : first;
  if (verdict.kind === 'good') return verdict;
  const keys = list.signature.keys.map(({ fingerprint }) => fingerprint).join(' or ');
  throw new Error(
    verdict.kind === 'bad'
      ? `${list.url} has a bad signature: it was changed after it was signed, and is not used (gpgv: ${verdict.words})`
      : `${list.url} is not signed by ${keys}, the key of its distribution: it is not used (gpgv: ${verdict.words})`,
  );
}

type Verdict =
  | ({ readonly kind: 'good' } & Vouched)
  | { readonly kind: 'bad' | 'unknown'; readonly words: string };

async function judge(
  { bytes, signature }: SignedList,
  detached: Uint8Array | undefined,
  keys: readonly (Uint8Array | undefined)[],
): Promise<Verdict> {
  const place = mkdtempSync(join(tmpdir(), 'podvisor-signature-'));
  try {
    const file = (name: string): string => join(place, name);
    writeFileSync(file('keys.gpg'), Buffer.concat(keys.filter((key) => key !== undefined)));
    writeFileSync(file('list'), bytes);
    if (detached !== undefined) writeFileSync(file('list.sig'), detached);
    const what =
      detached === undefined ? ['--output', file('text'), file('list')] : [file('list.sig'), file('list')];
    const flags = [
      '--status-fd',
      '1',
      '--weak-digest',
      'SHA1',
      '--homedir',
      place,
      '--keyring',
      file('keys.gpg'),
    ];
    const { stdout, stderr } = await run('gpgv', [...flags, ...what], {
      okCodes: [0, 1, 2],
      env: { LC_ALL: 'C' },
    }).catch(withoutGpgv);
    const pinned = signature.keys.map(({ fingerprint }) => fingerprint);
    const signer = signerOf(stdout, pinned);
    if (signer.kind !== 'good') return { kind: signer.kind, words: lastLine(stderr) };
    const text = detached === undefined ? readFileSync(file('text')) : bytes;
    return { ...signer, text: Buffer.from(text).toString('utf8') };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function withoutGpgv(error: unknown): never {
  if (error instanceof ToolError && error.kind === 'missing')
    throw new Error('signatures of images are checked by gpgv, which is not here: apt-get install gpgv', {
      cause: error,
    });
  throw error;
}

/**
 * What gpgv's status lines say (GnuPG, doc/DETAILS): each signature begins with NEWSIG; GOODSIG alone is good, and
 * VALIDSIG ends with the fingerprint of the primary key. One signature of a pinned key is enough; a broken one of any
 * key that is known here condemns the list.
 */
export function signerOf(
  status: string,
  pinned: readonly string[],
): { readonly kind: 'good'; readonly fingerprint: string } | { readonly kind: 'bad' | 'unknown' } {
  const signatures = status.split(/^\[GNUPG:\] NEWSIG.*$/m).slice(1);
  if (signatures.some((one) => /^\[GNUPG:\] BADSIG /m.test(one))) return { kind: 'bad' };
  for (const one of signatures) {
    const primary = /^\[GNUPG:\] VALIDSIG .*\b([0-9A-F]{40})\s*$/m.exec(one)?.[1];
    if (/^\[GNUPG:\] GOODSIG /m.test(one) && primary !== undefined && pinned.includes(primary))
      return { kind: 'good', fingerprint: primary };
  }
  return { kind: 'unknown' };
}

/** From a keyring that the machine has, or what was fetched (or put there by hand) before. */
function knownKey(key: SigningKey, directory: string): Uint8Array | undefined {
  for (const path of [kept(key, directory), ...key.keyrings]) {
    const found = existsSync(path) ? keyOf(binaryKeyring(readFileSync(path)), key.fingerprint) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** At least one of them; a server that has another key under that address is told by name. */
async function fetchedKeys(
  keys: readonly SigningKey[],
  directory: string,
  read: ReadUrl,
): Promise<readonly Uint8Array[]> {
  const found: Uint8Array[] = [];
  const why: string[] = [];
  for (const key of keys) {
    const bytes = await read(key.url).catch((error: unknown) => {
      why.push(error instanceof Error ? error.message : String(error));
      return undefined;
    });
    if (bytes === undefined) continue;
    const one = keyOf(binaryKeyring(bytes), key.fingerprint);
    if (one === undefined) why.push(`${key.url} has no key ${key.fingerprint}`);
    else {
      found.push(one);
      keep(kept(key, directory), one);
    }
  }
  const [wanted] = keys;
  if (found.length === 0 && wanted !== undefined)
    throw new Error(
      `the signature cannot be checked: ${why.join('; ')}. Save the key ${wanted.fingerprint} as ${kept(wanted, directory)}`,
    );
  return found;
}

const kept = ({ fingerprint }: SigningKey, directory: string): string =>
  join(directory, 'keys', `${fingerprint}.gpg`);

function keep(path: string, key: Uint8Array): void {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, key, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';
