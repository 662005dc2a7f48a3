/**
 * A Pod network to try bindings on, without a cluster: namespace `pod` with `eth0`, namespace `lan` as the
 * world outside, and a guest in its own namespace, plugged into the bridge that the binding makes.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InterfaceAttachment } from '@podvisor/api';
import {
  createNetns,
  ipBatch,
  removeNetns,
  runInNetns,
  type StartedProcess,
  startProcess,
} from '@podvisor/sys';

export const POD_MAC = '0a:58:0a:f4:00:05';
export const POD_ADDRESS = '10.244.0.5';
export const LAN_ADDRESS = '10.244.0.1';
export const POD_ADDRESS6 = 'fd00:244::5';
export const LAN_ADDRESS6 = 'fd00:244::1';

/** Which addresses the Pod has. */
export type Families = 'ipv4' | 'ipv6' | 'dual';

export class PodStandIn {
  readonly pod: string;
  readonly lan: string;
  readonly guest: string;
  readonly #names: readonly string[];
  readonly #scratch = mkdtempSync(join(tmpdir(), 'podvisor-net-'));
  readonly #processes: StartedProcess[] = [];

  private constructor(names: readonly string[], [pod = '', lan = '', guest = '']: readonly string[]) {
    this.#names = names;
    this.pod = pod;
    this.lan = lan;
    this.guest = guest;
  }

  static async create(families: Families = 'ipv4'): Promise<PodStandIn> {
    const names = ['pod', 'lan', 'guest'].map((n) => `pvt${process.pid}-${n}`);
    const paths: string[] = [];
    for (const name of names) paths.push(await createNetns(name));
    const standIn = new PodStandIn(names, paths);
    await ipBatch(standIn.lan, [
      `link add lan0 type veth peer name eth0 netns ${names[0]}`,
      `addr add ${LAN_ADDRESS}/24 dev lan0`,
      `addr add ${LAN_ADDRESS6}/64 dev lan0 nodad`,
      'link set lan0 up',
    ]);
    const ipv4 = [
      `addr add ${POD_ADDRESS}/24 dev eth0`,
      'link set eth0 up',
      `route add default via ${LAN_ADDRESS} dev eth0`,
      `route add 10.96.0.0/12 via ${LAN_ADDRESS} dev eth0`,
    ];
    const ipv6 = [
      `addr add ${POD_ADDRESS6}/64 dev eth0 nodad`,
      'link set eth0 up',
      `route add ::/0 via ${LAN_ADDRESS6} dev eth0`,
    ];
    await ipBatch(standIn.pod, [
      `link set eth0 address ${POD_MAC} mtu 1450`,
      ...(families === 'ipv6' ? [] : ipv4),
      ...(families === 'ipv4' ? [] : ipv6),
    ]);
    return standIn;
  }

  /** Plugs the guest's NIC into the bridge of the attachment, as QEMU would into the TAP. */
  async plugGuest(attachment: InterfaceAttachment): Promise<void> {
    await ipBatch(this.pod, [
      `link add guestport mtu ${attachment.mtu} type veth peer name nic0 netns ${this.#names[2]}`,
      `link set guestport master ${attachment.bridge} up`,
    ]);
    await ipBatch(this.guest, [`link set nic0 address ${attachment.mac} up`]);
  }

  /** Serves DHCP in the Pod as user 107 without any capability. */
  async serveDhcp(attachment: InterfaceAttachment): Promise<void> {
    const { bridge: device, mac, dhcp, dhcp6 } = attachment;
    const options = { device, mac, config: dhcp, config6: dhcp6 };
    const script = new URL('serve-dhcp.ts', import.meta.url).pathname;
    const drop = ['--reuid=107', '--regid=107', '--clear-groups', '--bounding-set=-all', '--inh-caps=-all'];
    await this.start(this.pod, 'setpriv', [...drop, process.execPath, script, JSON.stringify(options)]);
  }

  /** Starts a long-running tool inside `nsPath` and waits for its first line. */
  async start(nsPath: string, tool: string, args: readonly string[]): Promise<void> {
    const started = await startProcess('nsenter', [`--net=${nsPath}`, '--', tool, ...args], { pipe: true });
    this.#processes.push(started);
    await new Promise<void>((resolve, reject) => {
      started.child.stdout?.once('data', () => resolve());
      started.child.stderr?.on('data', (text: Buffer) => reject(new Error(text.toString())));
      void started.exited.then(() => reject(new Error(`${tool} ended`)));
    });
  }

  /** Asks for a lease with busybox' client and configures the guest with it; returns what it was told. */
  async requestLease(): Promise<Readonly<Record<string, string>>> {
    const script = join(this.#scratch, 'lease.sh');
    const lines = [
      '#!/bin/sh',
      '[ "$1" = bound ] || exit 0',
      'ip addr add "$ip/$mask" dev "$interface"',
      '[ -z "$mtu" ] || ip link set "$interface" mtu "$mtu"',
      '[ -z "$router" ] || ip route replace default via "$router" dev "$interface" onlink',
      'env | grep -E "^(ip|mask|subnet|router|dns|mtu|hostname|domain|search|lease|serverid|staticroutes|ntpsrv|tftp|boot_file|opt[0-9]+)="',
    ];
    writeFileSync(script, `${lines.join('\n')}\n`, { mode: 0o755 });
    const ask = ['mtu', 'hostname', 'search', 'staticroutes', 'ntpsrv', 'tftp', 'bootfile'].flatMap((o) => [
      '-O',
      o,
    ]);
    const { stdout } = await runInNetns(
      this.guest,
      'busybox',
      ['udhcpc', '-i', 'nic0', '-n', '-q', '-f', '-t', '4', '-T', '1', '-s', script, ...ask],
      { timeoutMs: 10_000 },
    );
    return Object.fromEntries(
      stdout
        .split('\n')
        .filter((line) => line.includes('='))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  }

  /** Asks for an IPv6 lease and configures the guest with it; returns the codes of the answer's options. */
  async requestLease6(): Promise<{ readonly address: string; readonly options: readonly number[] }> {
    const script = new URL('ask-dhcp6.ts', import.meta.url).pathname;
    const { stdout } = await runInNetns(this.guest, process.execPath, [script, 'nic0'], {
      timeoutMs: 10_000,
    });
    const lease = JSON.parse(stdout) as { readonly address: string; readonly options: readonly number[] };
    await ipBatch(this.guest, [`addr add ${lease.address}/128 dev nic0 nodad`]);
    return lease;
  }

  /** Serves one line of text on a TCP port, printing each caller's address. */
  async serveTcp(nsPath: string, port: number, text: string): Promise<void> {
    const program = `require('node:net').createServer((s) => { s.end(${JSON.stringify(text)} + ' ' + s.remoteAddress.replace('::ffff:', '')); s.on('error', () => {}); }).listen(${port}, '::', () => console.log('up'))`;
    await this.start(nsPath, process.execPath, ['-e', program]);
  }

  /** What a TCP server says, or the error; `from`: the address to speak from. */
  async readTcp(nsPath: string, address: string, port: number, from?: string): Promise<string> {
    const to = JSON.stringify({ port, host: address, localAddress: from });
    const program = `const s = require('node:net').connect(${to}); s.setTimeout(1500, () => { console.log('timeout'); s.destroy(); }); s.on('data', (d) => process.stdout.write(d)); s.on('error', (e) => console.log(e.code))`;
    const { stdout } = await runInNetns(nsPath, process.execPath, ['-e', program]);
    return stdout.trim();
  }

  async dispose(): Promise<void> {
    for (const process of this.#processes) process.kill('SIGKILL');
    await Promise.all(this.#processes.map((p) => p.exited));
    for (const name of this.#names) removeNetns(name);
    rmSync(this.#scratch, { recursive: true, force: true });
  }
}
