/** `podvisor image`: the images of this machine, for container disks and DataVolumes without a registry. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defaultHome, instancePaths, run } from '@podvisor/sys';

const TIMEOUT_MS = 1_800_000;

/** Loads an OCI layout, an OCI archive or a docker archive under a name. */
export async function importImage(archive: string, name: string): Promise<void> {
  const paths = instancePaths(defaultHome());
  const nodeAgent = join(paths.lib, 'node-agent.mjs');
  if (!existsSync(nodeAgent)) throw new Error(`${paths.home} is not set up yet: run \`podvisor up\` first`);
  const args = [nodeAgent, 'image', 'import', '--home', paths.home, archive, name];
  const { stdout } = await run(join(paths.lib, 'node'), args, { timeoutMs: TIMEOUT_MS });
  process.stdout.write(stdout);
}
