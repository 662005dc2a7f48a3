/** Carries built images: to files, and to a registry. The digests stay what they are. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@podvisor/base';
import { run } from '@podvisor/sys';
import type { BuiltImage } from './build.ts';
import { isPlainRegistry, referenceOf } from './references.ts';

const COPY_TIMEOUT_MS = 1_800_000;
const COPY = ['copy', '--insecure-policy', '--quiet', '--preserve-digests'];

/** NAME.tar (an OCI archive that knows its reference) and NAME.spdx.json for each image, images.json for all. */
export async function saveImages(
  images: readonly BuiltImage[],
  { directory, prefix, tag }: { readonly directory: string; readonly prefix: string; readonly tag: string },
  say: (text: string) => void,
): Promise<void> {
  mkdirSync(directory, { recursive: true });
  for (const { name, source, spdx } of images) {
    const archive = join(directory, `${name}.tar`);
    // skopeo adds to an archive that is there; and one that is there is whole.
    rmSync(`${archive}.new`, { force: true });
    await run('skopeo', [...COPY, source, `oci-archive:${archive}.new:${referenceOf(prefix, name, tag)}`], {
      timeoutMs: COPY_TIMEOUT_MS,
    });
    renameSync(`${archive}.new`, archive);
    writeFileSync(join(directory, `${name}.spdx.json`), spdx);
    say(`${name}: saved as ${archive}`);
  }
  const list = images.map(({ name, digest, bytes }) => ({
    name,
    reference: referenceOf(prefix, name, tag),
    digest,
    bytes,
  }));
  writeFileSync(join(directory, 'images.json'), `${JSON.stringify(list, undefined, 2)}\n`);
}

/** Under each of its names. Credentials are those of `skopeo login` or `docker login`. */
export async function pushImages(
  images: readonly BuiltImage[],
  { prefix, tag }: { readonly prefix: string; readonly tag: string },
  say: (text: string) => void,
): Promise<void> {
  const plain = isPlainRegistry(prefix) ? ['--dest-tls-verify=false'] : [];
  for (const { name, aliases, source, digest } of images)
    for (const reference of [name, ...aliases].map((one) => referenceOf(prefix, one, tag))) {
      try {
        await run('skopeo', [...COPY, ...plain, source, `docker://${reference}`], {
          timeoutMs: COPY_TIMEOUT_MS,
        });
      } catch (error) {
        throw new Error(pushFailure(reference, messageOf(error)), { cause: error });
      }
      say(`${reference} is pushed, ${digest}`);
    }
}

export function pushFailure(reference: string, said: string): string {
  const registry = reference.split('/')[0] ?? reference;
  const hint = /unauthorized|authentication required|denied/i.test(said)
    ? `the registry wants credentials: skopeo login ${registry}`
    : /no such host|connection refused|i\/o timeout|no route/i.test(said)
      ? `${registry} does not answer`
      : /HTTP response to HTTPS/i.test(said)
        ? `${registry} does not speak TLS, and only registries of this machine may go without: give it a certificate, or put '[[registry]] location = "${registry}" insecure = true' (three lines) into a file of /etc/containers/registries.conf.d`
        : /certificate/i.test(said)
          ? `the certificate of ${registry} is not trusted: put its CA in /etc/containers/certs.d/${registry}/ca.crt`
          : 'the registry refused it';
  return `${reference} could not be pushed: ${hint}`;
}
