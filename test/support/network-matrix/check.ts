/**
 * One cell, with its guest: addresses, default routes, MTU, DNS, ping both ways, TCP and bulk both ways, by every
 * family that it has. Throws at the first that is not so.
 */
import assert from 'node:assert/strict';
import type { VirtualMachineInstance } from '@podvisor/api';
import { eventually } from '../eventually.ts';
import { command } from '../instance.ts';
import { type Cell, FEW_MEGABYTES, ipFamilies, staticMtu } from './cells.ts';

const BOOT_MS = 600_000;
const IP_AND_ICMP_BYTES = { 4: 28, 6: 48 } as const;

/** Where the guest finds the machine, and what it may ask. */
export interface Outside {
  readonly address: Readonly<Record<4 | 6, string>>;
  readonly port: number;
  readonly name: string;
  readonly nameMeans: RegExp;
}

/** What was seen, in a few words. */
export async function checkCell(
  cell: Cell,
  outside: Outside,
  vmi: () => Promise<VirtualMachineInstance | undefined>,
): Promise<string> {
  const families = ipFamilies(cell.families);
  const address = async (family: 4 | 6): Promise<string> => {
    const all = (await vmi())?.status?.interfaces?.[0]?.ipAddresses ?? [];
    return (
      all.find((ip) => ip.includes(':') === (family === 6)) ??
      assert.fail(`no IPv${family} yet: ${all.join(' ')}`)
    );
  };
  const host = async (family: 4 | 6): Promise<string> => inUrl(await address(family));
  const main = families[0] ?? 4;
  const view = await eventually('the guest shows its network', BOOT_MS, async () => {
    const text = await (await get(await host(main), 'cgi-bin/net', { timeoutMs: 15_000 })).text();
    for (const family of families) {
      assert.match(text, DEFAULT_ROUTE[family]);
      const its = cell.binding === 'masquerade' ? PRIVATE_ADDRESS[family] : await address(family);
      assert.ok(text.includes(` ${its}/`), `the guest has no ${its}: ${text}`);
    }
    return text;
  });
  const mtu = guestMtu(cell);
  assert.match(view, new RegExp(`eth0: .* mtu ${mtu} `));
  for (const family of families) {
    const its = await address(family);
    assert.ok(await ping(its), `the machine reaches ${its}`);
    // The Pod itself answers for a guest of passt, and its answer says nothing of the guest.
    if (cell.binding !== 'passt') {
      const whole = mtu - IP_AND_ICMP_BYTES[family];
      assert.ok(await ping(its, '-M', 'do', '-s', String(whole)), `${mtu} bytes reach ${its} in one piece`);
      if (mtu === cell.mtu)
        assert.ok(!(await ping(its, '-M', 'do', '-s', String(whole + 1))), `${mtu + 1} bytes do not`);
    }
    const asked = await host(main);
    const { [family]: there } = outside.address;
    await eventually(`the guest reaches ${there}`, 30_000, async () => {
      assert.match(await (await get(asked, `cgi-bin/do?ping=${there}`)).text(), /1 packets received/);
      return true;
    });
    const url = `http://${inUrl(there)}:${outside.port}`;
    assert.equal(await (await get(asked, `cgi-bin/do?get=${url}/hello`)).text(), 'hello from outside');
  }
  const told = await (await get(await host(main), `cgi-bin/do?dns=${outside.name}`)).text();
  assert.match(told, outside.nameMeans);
  const rates = [];
  for (const family of families)
    rates.push(`IPv${family} ${await bulk(cell, await host(main), await host(family), outside, family)}`);
  return `mtu ${mtu}; ${rates.join('; ')}`;
}

const PRIVATE_ADDRESS = { 4: '10.0.2.2', 6: 'fd10:0:2::2' } as const;
const DEFAULT_ROUTE = { 4: /default via \d/, 6: /default via fe80:/ } as const;

/** passt ends connections itself: what the guest sends to it may be larger than what leaves the Pod. */
const PASST_MTU = 65_520;
/** DHCPv4 tells that; an advertisement may only make a link's MTU smaller (RFC 4861, 6.3.4), so alone it leaves this. */
const ETHERNET_MTU = 1500;

function guestMtu({ binding, families, way, mtu }: Cell): number {
  if (binding === 'passt') return families === 'ipv6' ? ETHERNET_MTU : PASST_MTU;
  return binding === 'masquerade' && way === 'network-data' ? staticMtu(mtu) : mtu;
}

/** Bulk in and out. */
async function bulk(
  cell: Cell,
  asked: string,
  guest: string,
  { address, port }: Outside,
  family: 4 | 6,
): Promise<string> {
  const isAside = cell.families === 'dual' && family === 4;
  const megabytes = isAside ? Math.min(cell.megabytes, FEW_MEGABYTES) : cell.megabytes;
  const bytes = megabytes * 1024 * 1024;
  let started = performance.now();
  const source = `http://${inUrl(address[family])}:${port}/bytes/${bytes}`;
  const counted = Number(await (await get(asked, `cgi-bin/do?take=${source}`)).text());
  // Headers and acknowledgements come on top; wget failed if less than announced had come.
  assert.ok(counted > bytes, `the guest's NIC saw ${counted} of ${bytes} bytes`);
  const inward = rate(bytes, started);
  started = performance.now();
  const body = (await get(guest, 'zeros', { bytes })).body ?? assert.fail('no body');
  let sent = 0;
  for await (const chunk of body) sent += chunk.length;
  assert.equal(sent, bytes);
  return `${megabytes} MiB in ${inward}, out ${rate(bytes, started)} MB/s`;
}

function rate(bytes: number, started: number): string {
  return (bytes / ((performance.now() - started) * 1e3)).toFixed(1);
}

/** A gigabyte takes an emulated guest minutes, in which the answer has not begun. `bytes`: the first ones only. */
async function get(
  host: string,
  path: string,
  { timeoutMs = 3_600_000, bytes }: { readonly timeoutMs?: number; readonly bytes?: number } = {},
): Promise<Response> {
  const response = await fetch(`http://${host}/${path}`, {
    signal: AbortSignal.timeout(timeoutMs),
    headers: bytes === undefined ? {} : { range: `bytes=0-${bytes - 1}` },
  });
  assert.equal(response.status, bytes === undefined ? 200 : 206);
  return response;
}

function inUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

async function ping(address: string, ...more: string[]): Promise<boolean> {
  return (await command('ping', ['-c', '1', '-W', '3', ...more, address], process.env)).code === 0;
}
