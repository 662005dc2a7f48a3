/** Whether this machine can run containers in user namespaces: it is tried once, not guessed from versions. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@podvisor/base';
import { mountLayers, mountTree, openUserNamespace, run, unmountNow } from '@podvisor/sys';

const tried = new Map<string, Promise<string | undefined>>();

/** Why containers below `directory` cannot have user namespaces; undefined: they can. */
export function userNamespaceFault(directory: string, first: number): Promise<string | undefined> {
  const known = tried.get(directory) ?? tryOut(directory, first).catch(messageOf);
  tried.set(directory, known);
  return known;
}

async function tryOut(directory: string, first: number): Promise<undefined> {
  using users = await openUserNamespace(first);
  const scratch = await mkdtemp(join(directory, '.users-'));
  const at = (name: string): string => join(scratch, name);
  try {
    for (const name of ['layer', 'mapped', 'upper', 'work', 'root']) await mkdir(at(name));
    mountTree(at('layer'), at('mapped'), { users });
    mountLayers(at('root'), [at('mapped')], { upper: at('upper'), work: at('work') });
  } finally {
    unmountNow(at('root'));
    unmountNow(at('mapped'));
    await rm(scratch, { recursive: true, force: true });
  }
  // A machine that is a container itself, with parts of /proc hidden, must not show all of it to others.
  await run('unshare', ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc', 'true']);
  return undefined;
}
