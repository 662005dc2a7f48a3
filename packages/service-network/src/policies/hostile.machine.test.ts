/** Policies of a tenant who means harm, with the real nft in a network of its own. Needs root. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { NetworkPolicy, NetworkPolicyPeer, Pod } from '@podvisor/api';
import { netnsPath, nftApply, nftTable, run } from '@podvisor/sys';
import { isolations } from './decide.ts';
import { policyRuleset } from './ruleset.ts';

const name = `podvisor-test-${process.pid}`;
const path = netnsPath(name);
before(() => run('ip', ['netns', 'add', name]));
after(() => run('ip', ['netns', 'delete', name]));

const pod = (namespace: string, number: number, ip = `10.1.0.${number}`): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `p${number}`, namespace, uid: `uid-${number}`, labels: { app: 'x' } },
  spec: { nodeName: 'node-1', containers: [{ name: 'c', image: '' }] },
  status: { phase: 'Running', podIP: ip, podIPs: [{ ip }] },
});
const policy = (namespace: string, spec: NetworkPolicy['spec']): NetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'p', namespace },
  spec,
});
const textOf = (pods: readonly Pod[], policies: readonly NetworkPolicy[]): string =>
  policyRuleset('t', isolations({ pods, policies, namespaceLabels: () => ({}), dns: [] }));

/** The policy of the victim holds whatever the other one says. */
async function victimIsIsolated(pods: readonly Pod[], policies: readonly NetworkPolicy[]): Promise<string> {
  await nftApply(
    path,
    textOf([pod('victim', 1), ...pods], [policy('victim', { podSelector: {} }), ...policies]),
  );
  const table = (await nftTable(path, 'inet', 't')) ?? '';
  assert.match(table, /10\.1\.0\.1 : jump/);
  return table;
}

test('a block that nftables cannot read, or that comes twice, takes nobody else’s policy away', async () => {
  const blocks = [
    'fe80::1%eth0/64',
    '10.0.0.0/08',
    'fd00::/8',
    '10.0.0.0/8',
    '10.1.0.0/16',
    '10.1.0.5/32',
    'x/3',
  ];
  for (const except of [[], ['10.1.0.0/16', '10.1.2.0/24', '10.1.2.0/024'], ['fd00::1%a/128']])
    await victimIsIsolated(
      [pod('evil', 2)],
      [
        policy('evil', {
          podSelector: {},
          ingress: [
            { from: blocks.map((cidr) => ({ ipBlock: { cidr, except } })) },
            { from: [{ podSelector: {} }] },
          ],
        }),
      ],
    );
});

test('two Pods with one address are both obeyed, and the table is taken', async () => {
  const all = { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] };
  const table = await victimIsIsolated(
    [pod('evil', 2), pod('other', 3, '10.1.0.2')],
    [policy('evil', all), policy('other', { podSelector: {}, ingress: [{ ports: [{ port: 81 }] }] })],
  );
  assert.equal(table.match(/10\.1\.0\.2 : jump/g)?.length, 1);
});

test('many blocks with holes, many ports and many Pods are not multiplied', async () => {
  const from = Array.from(
    { length: 2000 },
    (_, i): NetworkPolicyPeer => ({
      ipBlock: { cidr: `10.${i >> 8}.${i & 255}.0/24`, except: [`10.${i >> 8}.${i & 255}.0/25`] },
    }),
  );
  const ports = Array.from({ length: 2000 }, (_, i) => ({ port: 1 + 2 * i }));
  const pods = Array.from({ length: 50 }, (_, i) => pod('evil', 2 + i));
  const text = textOf(pods, [policy('evil', { podSelector: {}, ingress: [{ from, ports }] })]);
  assert.ok(text.length < 64 * 1024 * 1024, `${text.length} bytes`);
});

test('selectors are looked for once for each rule, not for each Pod', () => {
  const from = Array.from(
    { length: 2000 },
    (_, i): NetworkPolicyPeer => ({ podSelector: { matchLabels: { app: `${i}` } } }),
  );
  const pods = Array.from({ length: 200 }, (_, i) => pod('evil', 2 + i));
  const started = process.cpuUsage();
  textOf(pods, [policy('evil', { podSelector: {}, ingress: [{ from }] })]);
  const { user } = process.cpuUsage(started);
  assert.ok(user < 5_000_000, `${user / 1e6} s`);
});
