/**
 * Every TCP port, UDP port and unix socket that processes of a home listen on, in whatever network namespace, as the
 * kernel tells it.
 */
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

/** States of TCP: LISTEN, and CLOSE, which is a datagram socket that anybody may write to. */
const LISTENING = '0A';
const UNCONNECTED = '07';
/** linux/net.h: __SO_ACCEPTCON. */
const ACCEPTS = 0x10000;

export function listenersOf(home: string, name: string): readonly Listener[] {
  return portsOf(home, name, ['tcp', 'tcp6'], LISTENING);
}

/** UDP ports that take what anybody sends. */
export function datagramPortsOf(home: string, name: string): readonly Listener[] {
  return portsOf(home, name, ['udp', 'udp6'], UNCONNECTED);
}

export interface UnixListener {
  /** As its process named it; `@…` is a name that everybody in its network namespace may connect to. */
  readonly path: string;
  readonly process: string;
  /** In the machine's own network namespace. */
  readonly isOfMachine: boolean;
}

/** Unix sockets that accept connections. */
export function unixListenersOf(home: string, name: string): readonly UnixListener[] {
  const machine = readlinkSync('/proc/self/ns/net');
  return instanceProcesses(home, name).flatMap(({ pid, command }) => {
    try {
      const inodes = socketInodes(pid);
      const isOfMachine = readlinkSync(`/proc/${pid}/ns/net`) === machine;
      const lines = readFileSync(`/proc/${pid}/net/unix`, 'utf8').split('\n').slice(1);
      return lines.flatMap((line) => {
        const [, , , flags = '0', , , inode = '', path = ''] = line.trim().split(/\s+/);
        const isOurs = inodes.has(inode) && (Number.parseInt(flags, 16) & ACCEPTS) !== 0;
        return isOurs ? [{ path, process: command.slice(0, 240), isOfMachine }] : [];
      });
    } catch {
      return []; // It ended while we looked.
    }
  });
}

function portsOf(home: string, name: string, kinds: readonly string[], state: string): readonly Listener[] {
  const found = new Map<string, Listener>();
  for (const { pid, command } of instanceProcesses(home, name)) {
    try {
      const namespace = readlinkSync(`/proc/${pid}/ns/net`);
      const inodes = socketInodes(pid);
      for (const { address, port, inode } of kinds.flatMap((kind) => tableOf(pid, kind, state)))
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

function tableOf(
  pid: number,
  kind: string,
  wanted: string,
): { address: string; port: number; inode: string }[] {
  const lines = readFileSync(`/proc/${pid}/net/${kind}`, 'utf8').split('\n').slice(1);
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    if (state !== wanted) return [];
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
