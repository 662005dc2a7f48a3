import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkPolicy, NetworkPolicyPeer, Pod } from '@podvisor/api';
import { isolations } from './decide.ts';
import { policyRuleset } from './ruleset.ts';

const pod = (name: string, ip: string, labels: Record<string, string>, namespace = 'shop'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, uid: name, labels },
  spec: {
    nodeName: 'node-1',
    containers: [{ name: 'c', image: '', ports: [{ name: 'web', containerPort: 8080 }] }],
  },
  status: { phase: 'Running', podIP: ip, podIPs: [{ ip }, { ip: `fd00::${ip.split('.')[3]}` }] },
});
const pods = [
  pod('db', '10.0.0.1', { app: 'db' }),
  pod('web', '10.0.0.2', { app: 'web' }),
  pod('spy', '10.0.0.3', { app: 'web' }, 'other'),
];
const policy = (spec: NetworkPolicy['spec']): NetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'p', namespace: 'shop' },
  spec,
});
const decide = (...specs: NetworkPolicy['spec'][]) =>
  isolations({
    policies: specs.map(policy),
    pods,
    namespaceLabels: (name) => ({ 'kubernetes.io/metadata.name': name }),
    dns: ['10.0.96.10'],
  });

test('nobody is isolated without a policy; an empty one isolates its whole namespace, inwards', () => {
  assert.deepEqual(decide(), []);
  const all = decide({ podSelector: {} });
  assert.deepEqual(
    all.map(({ uid, ingress, egress }) => [uid, ingress, egress]),
    [
      ['db', [], undefined],
      ['web', [], undefined],
    ],
  );
});

test('peers by Pod, by namespace, by both, and by block; ports by number, range and name', () => {
  const [db] = decide({
    podSelector: { matchLabels: { app: 'db' } },
    ingress: [
      { from: [{ podSelector: { matchLabels: { app: 'web' } } }], ports: [{ port: 'web' }] },
      {
        from: [
          { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } },
          { ipBlock: { cidr: '192.0.2.0/24', except: ['192.0.2.1/32'] } },
        ],
        ports: [{ protocol: 'UDP', port: 53, endPort: 55 }],
      },
      { ports: [{ port: 22 }] },
    ],
  });
  assert.deepEqual(db?.ingress, [
    { peers: [{ cidr: '10.0.0.2' }, { cidr: 'fd00::2' }], ports: [{ protocol: 'tcp', ranges: ['8080'] }] },
    {
      peers: [{ cidr: '10.0.0.3' }, { cidr: 'fd00::3' }, { cidr: '192.0.2.0/24', except: ['192.0.2.1/32'] }],
      ports: [{ protocol: 'udp', ranges: ['53-55'] }],
    },
    { ports: [{ protocol: 'tcp', ranges: ['22'] }] },
  ]);
});

test('outwards: rules imply the type; DNS is found as the Pod that others run', () => {
  const kubeDns = { matchLabels: { 'k8s-app': 'kube-dns' } };
  const [db] = decide({
    podSelector: { matchLabels: { app: 'db' } },
    egress: [
      { to: [{ namespaceSelector: {}, podSelector: kubeDns }], ports: [{ protocol: 'UDP', port: 'dns' }] },
    ],
  });
  assert.deepEqual(db?.ingress, []);
  assert.deepEqual(db?.egress, [
    { peers: [{ cidr: '10.0.96.10' }], ports: [{ protocol: 'udp', ranges: ['1053'] }] },
  ]);
  const only = decide({ podSelector: {}, policyTypes: ['Egress'] });
  assert.ok(only.every(({ ingress, egress }) => ingress === undefined && egress?.length === 0));
});

test('a selector that finds nobody allows nobody', () => {
  const [db] = decide({
    podSelector: { matchLabels: { app: 'db' } },
    ingress: [{ from: [{ podSelector: { matchLabels: { app: 'gone' } } }] }],
  });
  assert.deepEqual(db?.ingress, []);
});

test('the table: a chain for each Pod and direction, permissions first, then nothing', () => {
  const all = decide({
    podSelector: { matchLabels: { app: 'db' } },
    ingress: [{ from: [{ podSelector: { matchLabels: { app: 'web' } } }], ports: [{ port: 80 }] }],
  });
  const text = policyRuleset('t', all);
  assert.match(text, /10\.0\.0\.1 : jump in-[0-9a-f]{32}/);
  assert.match(
    text,
    /ip saddr \{ 10\.0\.0\.2 \} tcp dport \{ 80 \} return\n\s+ip6 saddr \{ fd00::2 \} tcp dport \{ 80 \} return\n\s+counter drop/,
  );
  assert.equal(text, policyRuleset('t', all));
  assert.doesNotMatch(policyRuleset('t', []), /chain/);
});

test('port 53 of the cluster’s DNS is where its packets go after translation, whoever is meant with it', () => {
  const dns = { peers: [{ cidr: '10.0.96.10' }], ports: [{ protocol: 'udp', ranges: ['1053'] }] };
  const allowed = (to: NetworkPolicyPeer[] | undefined, port = 53) =>
    decide({
      podSelector: {},
      egress: [{ ...(to && { to }), ports: [{ protocol: 'UDP', port }] }],
    })[0]?.egress?.slice(1);
  assert.deepEqual(allowed(undefined), [dns]);
  assert.deepEqual(allowed([{ ipBlock: { cidr: '10.0.0.0/8' } }]), [dns]);
  assert.deepEqual(allowed([{ namespaceSelector: {} }]), [dns]);
  assert.deepEqual(allowed([{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.96.0/20'] } }]), []);
  assert.deepEqual(allowed([{ podSelector: {} }]), []);
  assert.deepEqual(allowed(undefined, 54), []);
});
