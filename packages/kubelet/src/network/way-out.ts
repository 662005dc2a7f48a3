/** How Pods get out of the machine: forwarding and masquerading, noted so that both can be undone. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type IpFamily, ipFamily } from '@podvisor/base';
import { nftApply, readSysctl, run, USERFAULTFD_NOTE, USERFAULTFD_SETTING, writeSysctl } from '@podvisor/sys';

const FORWARD = 'net.ipv4.ip_forward';
const FORWARD6 = 'net.ipv6.conf.all.forwarding';
const NOWHERE: Readonly<Record<IpFamily, string>> = { 4: '224.0.0.0/4', 6: 'ff00::/8' };

/** Name of our nft table (families ip and ip6). */
export function tableName(instance: string): string {
  return `podvisor-${instance}`;
}

/** Pods reach each other with their own addresses; what leaves all Pod ranges takes the machine's address. */
export function masqueradeRules(instance: string, podCidr: string): string {
  const table = tableName(instance);
  const family = ipFamily(podCidr) ?? 4;
  const ip = family === 6 ? 'ip6' : 'ip';
  return `table ${ip} ${table}
delete table ${ip} ${table}
table ${ip} ${table} {
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ${ip} saddr ${podCidr} ${ip} daddr != ${podCidr} ${ip} daddr != ${NOWHERE[family]} masquerade
  }
}
`;
}

/** The machine forwards, and what leaves the Pod ranges (one a family) takes its address, once. Idempotent. */
export async function setUpWayOut(instance: string, podCidrs: readonly string[]): Promise<void> {
  for (const cidr of podCidrs) await forward(settingOf(cidr));
  await nftApply(undefined, podCidrs.map((cidr) => masqueradeRules(instance, cidr)).join(''));
}

/** The namespace of a node forwards what its Pods send. */
export async function forwardIn(nsPath: string, podCidrs: readonly string[]): Promise<void> {
  for (const cidr of podCidrs) await writeSysctl(nsPath, settingOf(cidr), '1');
}

function settingOf(cidr: string): string {
  return ipFamily(cidr) === 6 ? FORWARD6 : FORWARD;
}

/** Removes the table; the last instance that leaves puts forwarding back. Idempotent. */
export async function removeWayOut(instance: string): Promise<void> {
  for (const family of ['ip', 'ip6'])
    await run('nft', ['delete', 'table', family, tableName(instance)], { okCodes: [0, 1] });
  const { stdout } = await run('nft', ['list', 'tables']);
  const others = stdout.split('\n').some((line) => /^table ip6? podvisor-/.test(line));
  if (others) return;
  for (const [key, note] of Object.entries(NOTES)) {
    if (!existsSync(note)) continue;
    await writeSysctl(undefined, key, (await readFile(note, 'utf8')).trim());
    await rm(note);
  }
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
