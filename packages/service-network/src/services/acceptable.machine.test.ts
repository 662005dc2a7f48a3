/** One Service that nftables does not take, among others, with the real nft in a network of its own. Needs root. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { netnsPath, nftAccepts, nftApply, nftTable, run } from '@podvisor/sys';
import { acceptable } from './acceptable.ts';
import type { PortRule } from './plan.ts';
import { ruleset, type TableFacts } from './ruleset.ts';

const name = `podvisor-test-${process.pid}`;
const path = netnsPath(name);
before(() => run('ip', ['netns', 'add', name]));
after(() => run('ip', ['netns', 'delete', name]));

const facts: TableFacts = {
  family: 4,
  table: 'services',
  serviceCidr: '10.96.0.0/20',
  loadBalancerCidr: '10.1.112.0/24',
  loopback: { devices: ['br0', 'br1'] },
  reserved: [],
  ownAddresses: ['10.96.0.1'],
  podCidr: '10.1.0.0/24',
  clusterCidr: '10.1.0.0/16',
  bridgeIsFiltered: true,
};
const rule = (number: number, port = 80): PortRule => ({
  service: String(number),
  chain: `s-${number}-tcp-${port}`,
  protocol: 'tcp',
  clusterIps: [`10.96.1.${number}`],
  port,
  sticky: false,
  inside: [{ ip: `10.1.0.${number}`, port: 8080 }],
  outside: [],
  masquerade: true,
  externalIps: [],
  loadBalancerIps: [],
});

test('a Service that nft refuses is left out, and all others have their rules', async () => {
  const rules = Array.from({ length: 40 }, (_, i) => rule(i + 1, i === 20 ? 99_999 : 80));
  const textOf = (some: readonly PortRule[]): string => ruleset(facts, some, []);
  await assert.rejects(nftApply(path, textOf(rules)));
  const taken = await acceptable(rules, (some) => nftAccepts(path, textOf(some)));
  assert.deepEqual(
    rules.filter((one) => !taken.includes(one)).map(({ service }) => service),
    ['21'],
  );
  await nftApply(path, textOf(taken));
  const table = (await nftTable(path, 'ip', 'services')) ?? '';
  assert.match(table, /10\.96\.1\.40 \. tcp \. 80/);
  assert.doesNotMatch(table, /10\.96\.1\.21 /);
});
