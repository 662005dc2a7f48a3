/** Who holds addresses: the files that the host-local plugin keeps, one per address, named after it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ipFamily } from '@podvisor/base';
import type { KubeletContext } from '../context.ts';

/** Name of the CNI network; host-local keeps a directory of this name. */
export function networkName(context: KubeletContext): string {
  return `podvisor-${context.config.name}`;
}

/** Where host-local keeps which address belongs to which Pod. */
export function ipamDirectory(context: KubeletContext): string {
  return join(context.containersDir, '..', 'ipam');
}

/** The same directory of any node of this machine. */
function ipamDirectoryOf({ paths }: KubeletContext, node: string): string {
  return join(paths.containers(node), '..', 'ipam');
}

/** UIDs of the Pods that hold an address. */
export function addressHolders(context: KubeletContext): ReadonlySet<string> {
  const directory = join(ipamDirectory(context), networkName(context));
  if (!existsSync(directory)) return new Set();
  const files = readdirSync(directory).filter(isAddress);
  return new Set(files.map((name) => readFileSync(join(directory, name), 'utf8').split(/\s/)[0] ?? ''));
}

/**
 * An address outlives its Pod when a VM migrates: the Pod that takes it over claims it in the books of the node
 * whose range it is from, and gets it when the former holder lets go. Until then both have it.
 */
export function claimAddress(context: KubeletContext, home: string, address: string, uid: string): void {
  const claims = join(ipamDirectoryOf(context, home), 'claims');
  mkdirSync(claims, { recursive: true });
  writeFileSync(join(claims, address), uid);
}

/** Gives the addresses of a Pod that leaves to those who claimed them, and its claims back. Idempotent. */
export function passOnAddresses(context: KubeletContext, uid: string): void {
  for (const { name } of context.config.nodes) {
    const ipam = ipamDirectoryOf(context, name);
    const held = join(ipam, networkName(context));
    for (const address of namesIn(held)) {
      const holding = join(held, address);
      if (firstWord(holding) !== uid) continue;
      const claimant = firstWord(join(ipam, 'claims', address));
      // The form of host-local's own files.
      if (claimant !== undefined && claimant !== uid) writeFileSync(holding, `${claimant}\r\neth0`);
      // Of the own range, the plugin frees it when the NIC is gone.
      else if (name !== context.node.name) rmSync(holding, { force: true });
    }
    for (const address of namesIn(join(ipam, 'claims')))
      if (firstWord(join(ipam, 'claims', address)) === uid)
        rmSync(join(ipam, 'claims', address), { force: true });
  }
}

function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory).filter(isAddress) : [];
}

/** host-local also keeps its lock and the last address there. */
function isAddress(name: string): boolean {
  return ipFamily(name) !== undefined;
}

function firstWord(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').split(/\s/)[0];
  } catch {
    return undefined; // nobody's
  }
}
