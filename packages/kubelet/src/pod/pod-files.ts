/** The files under /etc that all containers of a Pod share. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pod } from '@podvisor/api';
import { serviceRange } from '@podvisor/service-network';
import { hostsFile, podHostname, resolvConf } from '../container/etc-files.ts';
import { type KubeletContext, podDirectory } from '../context.ts';
import { uidOf } from './types.ts';

/** Their names in the Pod's directory. Containers have them writable: what they hold counts as the Pod's. */
export const POD_FILES = ['etc-hosts', 'hostname', 'resolv.conf'] as const;

/** Writes them where needed; container path → path on the machine. */
export function writePodFiles(
  context: KubeletContext,
  pod: Pod,
  ips: readonly string[],
): ReadonlyMap<string, string> {
  const directory = podDirectory(context, uidOf(pod));
  const host = pod.spec.hostNetwork === true;
  const contents: readonly (readonly [string, (typeof POD_FILES)[number], string])[] = [
    ['/etc/hosts', 'etc-hosts', host ? read('/etc/hosts') : hostsFile(pod, ips)],
    ['/etc/hostname', 'hostname', host ? read('/etc/hostname') : `${podHostname(pod)}\n`],
    [
      '/etc/resolv.conf',
      'resolv.conf',
      resolvConf(pod, read('/etc/resolv.conf'), serviceRange(context.config).dns),
    ],
  ];
  for (const [, name, text] of contents) {
    const path = join(directory, name);
    // In place: containers have the file itself bound, and may have edited their hosts file.
    if (!existsSync(path)) writeFileSync(path, text, { mode: 0o644 });
  }
  return new Map(contents.map(([target, name]) => [target, join(directory, name)]));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
