/**
 * The data of local volumes: `volumes/<name>/`, a directory for file systems, a sparse file `disk.img` in
 * it for block devices. Paths come from the volume's name, which we made, and never from its spec.
 */
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Names that this provisioner gives: `pvc-<uid>`. */
const NAME = /^pvc-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function volumeNameFor(claimUid: string): string {
  return `pvc-${claimUid}`;
}

/** Makes the data; calling it again changes nothing. Returns the path for the volume's spec. */
export async function makeLocalData(
  directory: string,
  name: string,
  mode: 'Filesystem' | 'Block',
  bytes: number,
): Promise<string> {
  const path = pathFor(directory, name);
  // The directory above keeps other users of the machine out; in the Pod, the volume belongs to its users.
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await mkdir(path, { recursive: true });
  if (mode === 'Filesystem') {
    await using handle = await open(path);
    await handle.chmod(0o777);
    return path;
  }
  const file = join(path, 'disk.img');
  await using handle = await open(file, 'a', 0o600);
  const { size } = await handle.stat();
  if (size < bytes) await handle.truncate(bytes);
  return file;
}

/** Removes the data. Links inside are removed, not followed. */
export async function removeLocalData(directory: string, name: string): Promise<void> {
  await rm(pathFor(directory, name), { recursive: true, force: true });
}

function pathFor(directory: string, name: string): string {
  if (!NAME.test(name))
    throw new Error(`volume ${name} was not made by this provisioner: its data is not touched`);
  return join(directory, name);
}
