/** `node-agent.mjs image exists|import|list|remove`: the image store, without a running cluster. */
import type { InstancePaths } from '@podvisor/sys';
import { ImageStore } from '@podvisor/kubelet';

/** Exit code of the command. */
export async function imageCommand(paths: InstancePaths, args: readonly string[]): Promise<number> {
  const store = new ImageStore(paths.images);
  const [verb, ...rest] = args;
  if (verb === 'exists' && rest[0] !== undefined) return store.resolve(rest[0]) === undefined ? 1 : 0;
  if (verb === 'list') {
    console.log(JSON.stringify(store.list()));
    return 0;
  }
  if (verb === 'remove' && rest[0] !== undefined) return (await store.remove(rest[0])) ? 0 : 1;
  const [archive, reference] = rest;
  if (verb === 'import' && archive !== undefined && reference !== undefined) {
    const image = await store.importArchive(archive, reference);
    console.log(`${image.reference} ${image.id}`);
    return 0;
  }
  console.error('usage: image exists|remove REFERENCE | image import ARCHIVE REFERENCE | image list');
  return 2;
}
