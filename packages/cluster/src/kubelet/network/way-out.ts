/** How Pods get out of the machine: forwarding and masquerading, noted so that both can be undone. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { nftApply, readSysctl, run, USERFAULTFD_NOTE, USERFAULTFD_SETTING, writeSysctl } from '@podvisor/sys';

export const FORWARD = 'net.ipv4.ip_forward';
const FORWARD6 = 'net.ipv6.conf.all.forwarding';

/** Name of our nft table (family ip). */
export function tableName(instance: string): string {
  return `podvisor-${instance}`;
}

/** Pods reach each other with their own addresses; what leaves all Pod ranges takes the machine's address. */
export function masqueradeRules(instance: string, from: string, clusterPodCidr: string): string {
  const table = tableName(instance);
  return `table ip ${table}
delete table ip ${table}
table ip ${table} {
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ip saddr ${from} ip daddr != ${clusterPodCidr} ip daddr != 224.0.0.0/4 masquerade
  }
}
`;
}

/** The machine forwards, and what leaves the Pod ranges takes its address, once. Idempotent. */
export async function setUpWayOut(instance: string, from: string, clusterPodCidr: string): Promise<void> {
  await forward(FORWARD);
  await nftApply(undefined, masqueradeRules(instance, from, clusterPodCidr));
}

/** Removes the table; the last instance that leaves puts forwarding back. Idempotent. */
export async function removeWayOut(instance: string): Promise<void> {
  await run('nft', ['delete', 'table', 'ip', tableName(instance)], { okCodes: [0, 1] });
  const { stdout } = await run('nft', ['list', 'tables', 'ip']);
  const others = stdout.split('\n').some((line) => line.startsWith(`table ip ${tableName('')}`));
  if (others) return;
  for (const [key, note] of Object.entries(NOTES)) {
    if (!existsSync(note)) continue;
    await writeSysctl(undefined, key, (await readFile(note, 'utf8')).trim());
    await rm(note);
  }
}

/** The machine forwards IPv6 between Pods of both families; what leaves it keeps its address. Idempotent. */
export async function setUpForwarding6(): Promise<void> {
  await forward(FORWARD6);
}

/** All instances of the machine share the settings, so they share the notes. */
const NOTES: Readonly<Record<string, string>> = {
  [FORWARD]: '/run/podvisor/ip-forward.before',
  [FORWARD6]: '/run/podvisor/ip6-forward.before',
  // Set by a virt-handler for post-copy migration; it is put back with the rest.
  [USERFAULTFD_SETTING]: USERFAULTFD_NOTE,
};

async function forward(key: string): Promise<void> {
  const before = await readSysctl(undefined, key);
  if (before === '1') return;
  await noteFormerValue(NOTES[key] ?? '', before);
  await writeSysctl(undefined, key, '1');
}

async function noteFormerValue(note: string, value: string): Promise<void> {
  // The first note is the true one: later we only find what we set ourselves.
  if (existsSync(note)) return;
  await mkdir(dirname(note), { recursive: true });
  await writeFile(note, value);
}
