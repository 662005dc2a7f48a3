/**
 * Where the state of the TPM is. libvirt and swtpm know one place in the Pod, `<libvirt's directory>/<uuid>`; it is a link
 * into the directory that outlives the Pod. A guest that comes from another node gets a place of its own there: while
 * it comes, both nodes may write to the directory, swtpm locks its place, and libvirt removes what a migration that
 * failed had brought. `<uuid>.current` says which place counts; without it, it is `<uuid>`, as libvirt names it.
 */
import { mkdir, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises';

export interface TpmPlaces {
  /** Where libvirt looks, in this Pod. */
  readonly libvirt: string;
  /** Where the state is kept; may be on a claim, and in use by another node. */
  readonly kept: string;
}

/** Makes the place for a guest with this UUID; `incoming`: the migration that brings it. Idempotent. */
export async function placeTpmState(places: TpmPlaces, uuid: string, incoming?: string): Promise<void> {
  const { libvirt, kept } = places;
  const place = incoming === undefined ? await currentPlace(kept, uuid) : `${uuid}.${incoming}`;
  if (incoming !== undefined) await rm(`${kept}/${place}`, { recursive: true, force: true });
  await Promise.all([libvirt, `${kept}/${place}`].map((path) => mkdir(path, { recursive: true })));
  await replaceLink(`${kept}/${place}`, `${libvirt}/${uuid}`);
}

/** The guest that a migration brought runs here: its place is the one that counts, and others are removed. Idempotent. */
export async function keepArrivedTpm({ kept }: TpmPlaces, uuid: string, incoming: string): Promise<void> {
  const place = `${uuid}.${incoming}`;
  await replaceLink(place, `${kept}/${uuid}.current`);
  const others = (await readdir(kept)).filter(
    (name) => (name === uuid || name.startsWith(`${uuid}.`)) && name !== place && name !== `${uuid}.current`,
  );
  await Promise.all(others.map((name) => rm(`${kept}/${name}`, { recursive: true, force: true })));
}

/** A link that points nowhere, or elsewhere than into this directory, says nothing. */
async function currentPlace(kept: string, uuid: string): Promise<string> {
  const named = await readlink(`${kept}/${uuid}.current`).catch(() => uuid);
  if (!named.startsWith(`${uuid}.`) || named.includes('/')) return uuid;
  const isThere = await stat(`${kept}/${named}`).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isThere ? named : uuid;
}

/** In one step: whoever looks finds the old or the new. */
async function replaceLink(target: string, path: string): Promise<void> {
  const passing = `${path}.new`;
  await rm(passing, { force: true });
  await symlink(target, passing);
  await rename(passing, path);
}
