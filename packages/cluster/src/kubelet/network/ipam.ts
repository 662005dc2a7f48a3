/** Who holds addresses: the files that the host-local plugin keeps, one per address, named after it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeletContext } from '../context.ts';

/** Name of the CNI network; host-local keeps a directory of this name. */
export function networkName(context: KubeletContext): string {
  return `podvisor-${context.config.name}`;
}

/** Where host-local keeps which address belongs to which Pod. */
export function ipamDirectory(context: KubeletContext): string {
  return join(context.containersDir, '..', 'ipam');
}

/** UIDs of the Pods that hold an address. */
export function addressHolders(context: KubeletContext): ReadonlySet<string> {
  const directory = join(ipamDirectory(context), networkName(context));
  if (!existsSync(directory)) return new Set();
  const files = readdirSync(directory).filter((name) => /^[0-9.]+$|:/.test(name));
  return new Set(files.map((name) => readFileSync(join(directory, name), 'utf8').split(/\s/)[0] ?? ''));
}
