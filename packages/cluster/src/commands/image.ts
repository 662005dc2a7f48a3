/** `cluster.mjs image exists|import`: the image store, without a running cluster. */
import type { InstancePaths } from '@podvisor/sys';
import { ImageStore } from '../kubelet/index.ts';

/** Exit code of the command. */
export async function imageCommand(paths: InstancePaths, args: readonly string[]): Promise<number> {
  const store = new ImageStore(paths.images);
  const [verb, ...rest] = args;
  if (verb === 'exists' && rest[0] !== undefined) return store.resolve(rest[0]) === undefined ? 1 : 0;
  const [archive, reference] = rest;
  if (verb === 'import' && archive !== undefined && reference !== undefined) {
    const image = await store.importArchive(archive, reference);
    console.log(`${image.reference} ${image.id}`);
    return 0;
  }
  console.error('usage: image exists REFERENCE | image import ARCHIVE REFERENCE');
  return 2;
}
