/** Every TCP port that processes of a home listen on, in whatever network namespace, as the kernel tells it. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { instanceProcesses } from './traces.ts';

export interface Listener {
  /** Where it can be reached: of a Pod that listens everywhere, the Pod's own. */
  readonly address: string;
  readonly port: number;
  /** Command line of the process, shortened. */
  readonly process: string;
}

const LISTENING = '0A';

export function listenersOf(home: string, name: string): readonly Listener[] {
  const found = new Map<string, Listener>();
  for (const { pid, command } of instanceProcesses(home, name)) {
    try {
      const namespace = readlinkSync(`/proc/${pid}/ns/net`);
      const inodes = socketInodes(pid);
      for (const { address, port, inode } of ['tcp', 'tcp6'].flatMap((kind) => tableOf(pid, kind)))
        if (inodes.has(inode))
          found.set(`${namespace} ${address} ${port}`, {
            address: isEverywhere(address) ? ownAddress(pid) : address,
            port,
            process: command.slice(0, 240),
          });
    } catch {
      // It ended while we looked.
    }
  }
  return [...found.values()];
}

function socketInodes(pid: number): ReadonlySet<string> {
  return new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return []; // closed meanwhile
      }
    }),
  );
}

function tableOf(pid: number, kind: string): { address: string; port: number; inode: string }[] {
  const lines = readFileSync(`/proc/${pid}/net/${kind}`, 'utf8').split('\n').slice(1);
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    if (state !== LISTENING) return [];
    const [address = '', port = ''] = local.split(':');
    return [{ address: addressOf(address), port: Number.parseInt(port, 16), inode }];
  });
}

/** The kernel writes words of four bytes in the order of the machine. */
function addressOf(hex: string): string {
  const bytes = Buffer.concat((hex.match(/.{8}/g) ?? []).map((word) => Buffer.from(word, 'hex').reverse()));
  return bytes.length === 4 ? bytes.join('.') : (bytes.toString('hex').match(/.{4}/g) ?? []).join(':');
}

function isEverywhere(address: string): boolean {
  return /^[0:.]+$/.test(address);
}

/** The first address of the process's network that others reach. */
function ownAddress(pid: number): string {
  const args = [`--net=/proc/${pid}/ns/net`, '--', 'ip', '-j', '-4', 'addr', 'show', 'scope', 'global'];
  const links = JSON.parse(execFileSync('nsenter', args, { encoding: 'utf8' })) as {
    readonly addr_info?: readonly { readonly local: string }[];
  }[];
  return links.flatMap(({ addr_info = [] }) => addr_info.map(({ local }) => local))[0] ?? '';
}
