import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint, EndpointSlice, Pod, Service } from '@podvisor/api';
import { hostPorts, type NodeView, portRules, targetsOf } from './plan.ts';
import { ruleset, type TableFacts } from './ruleset.ts';
import { staleFlows } from './stale-flows.ts';

const web: Service = {
  metadata: { namespace: 'ns', name: 'web', uid: 'aaaa-bbbb' },
  spec: {
    type: 'NodePort',
    clusterIP: '10.96.0.5',
    clusterIPs: ['10.96.0.5'],
    ports: [{ name: 'http', port: 80, nodePort: 30080 }],
  },
};
const at = (
  ip: string,
  nodeName: string,
  conditions: Endpoint['conditions'] = { ready: true },
): Endpoint => ({
  addresses: [ip],
  nodeName,
  conditions,
});
const slice = (...endpoints: Endpoint[]): EndpointSlice => ({
  metadata: { namespace: 'ns', name: 'web-1' },
  addressType: 'IPv4',
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  endpoints,
});
const view = (
  service: Service,
  slices: readonly EndpointSlice[],
  nodeName: string | undefined = 'a',
): NodeView => ({
  family: 4,
  loadBalancerCidr: '10.1.112.0/24',
  nodeName,
  services: [service],
  slicesOf: () => slices,
  pods: [],
});
const facts: TableFacts = {
  family: 4,
  table: 't',
  serviceCidr: '10.96.0.0/20',
  loadBalancerCidr: '10.1.112.0/24',
  reserved: [],
  ownAddresses: ['10.96.0.1'],
  podCidr: '10.1.0.0/24',
  clusterCidr: '10.1.0.0/16',
  bridgeIsFiltered: true,
};
const port = { name: 'http', port: 80 };
const ips = (slices: readonly EndpointSlice[]): string =>
  targetsOf(port, slices, 4)
    .map(({ ip }) => ip)
    .join(' ');

test('only ready endpoints are behind a Service', () => {
  assert.equal(ips([slice(at('10.1.0.3', 'a'), at('10.1.0.2', 'a', { ready: false }))]), '10.1.0.3');
});

test('without a ready one, those that end and still serve help out', () => {
  const ending = { ready: false, serving: true, terminating: true };
  assert.equal(ips([slice(at('10.1.0.2', 'a', ending), at('10.1.0.3', 'a', { ready: false }))]), '10.1.0.2');
});

test('an address in two slices counts once', () => {
  assert.equal(ips([slice(at('10.1.0.2', 'a')), slice(at('10.1.0.2', 'a'))]), '10.1.0.2');
});

test('Local policies keep to the endpoints of the node', () => {
  const slices = [slice(at('10.1.0.2', 'a'), at('10.1.1.2', 'b'))];
  const local: Service = { ...web, spec: { ...web.spec, externalTrafficPolicy: 'Local' } };
  const [rule] = portRules(view(local, slices, 'b'));
  assert.deepEqual(
    [rule?.inside.map(({ ip }) => ip), rule?.outside.map(({ ip }) => ip), rule?.masquerade],
    [['10.1.0.2', '10.1.1.2'], ['10.1.1.2'], false],
  );
});

test('headless and external Services need no rules', () => {
  for (const spec of [{ clusterIP: 'None' }, { type: 'ExternalName' as const, externalName: 'x' }])
    assert.deepEqual(portRules(view({ ...web, spec: { ...spec, ports: web.spec?.ports } }, [])), []);
});

test('the table of a Service with two endpoints', () => {
  const text = ruleset(facts, portRules(view(web, [slice(at('10.1.0.2', 'a'), at('10.1.0.3', 'a'))])), []);
  assert.match(text, /elements = \{ 10\.96\.0\.5 \. tcp \. 80 : goto s-aaaabbbb-tcp-80 \}/);
  assert.match(text, /elements = \{ tcp \. 30080 : goto s-aaaabbbb-tcp-80-out \}/);
  assert.match(
    text,
    /dnat ip to numgen random mod 2 map \{ 0 : 10\.1\.0\.2 \. 8080, 1 : 10\.1\.0\.3 \. 8080 \}/,
  );
  assert.match(text, /^table ip t\ndelete table ip t\ntable ip t \{/);
});

test('clients that must come back are told apart by their address', () => {
  const sticky: Service = { ...web, spec: { ...web.spec, sessionAffinity: 'ClientIP' } };
  const text = ruleset(facts, portRules(view(sticky, [slice(at('10.1.0.2', 'a'), at('10.1.0.3', 'a'))])), []);
  assert.match(text, /jhash ip saddr mod 2/);
  assert.doesNotMatch(text, /numgen/);
});

test('a Service without endpoints has no destination: the range refuses', () => {
  const text = ruleset(facts, portRules(view(web, [])), []);
  assert.doesNotMatch(text, /10\.96\.0\.5/);
  assert.match(
    text,
    /ip daddr \{ 10\.96\.0\.0\/20, 10\.1\.112\.0\/24 \} ip daddr != @own-addresses meta l4proto tcp reject with tcp reset/,
  );
});

test('where bridged packets are not seen, neighbours are masqueraded', () => {
  const unseen = ruleset({ ...facts, bridgeIsFiltered: false }, [], []);
  assert.match(unseen, /ip saddr 10\.1\.0\.0\/24 ip daddr 10\.1\.0\.0\/24 masquerade/);
  assert.doesNotMatch(ruleset(facts, [], []), /ip saddr 10\.1\.0\.0\/24/);
});

test('host ports of this node only, and not of finished Pods', () => {
  const pod = (nodeName: string, phase: 'Running' | 'Succeeded'): Pod => ({
    metadata: {},
    spec: { nodeName, containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort: 8080 }] }] },
    status: { phase, podIP: '10.1.0.9' },
  });
  const all = { ...view(web, []), pods: [pod('a', 'Running'), pod('b', 'Running'), pod('a', 'Succeeded')] };
  assert.deepEqual(hostPorts(all), [{ protocol: 'tcp', port: 8080, target: { ip: '10.1.0.9', port: 80 } }]);
});

test('UDP flows to an endpoint that left are to be forgotten, others stay', () => {
  const dns: Service = {
    ...web,
    spec: { ...web.spec, ports: [{ name: 'http', port: 53, protocol: 'UDP' }] },
  };
  const before = portRules(view(dns, [slice(at('10.1.0.2', 'a'), at('10.1.0.3', 'a'))]));
  const after = portRules(view(dns, [slice(at('10.1.0.3', 'a'))]));
  assert.deepEqual(staleFlows(before, after), [{ destination: '10.96.0.5', target: '10.1.0.2' }]);
  assert.deepEqual(staleFlows(portRules(view(web, [slice(at('10.1.0.2', 'a'))])), []), []);
});

test('an external address that is another destination never makes a second element', () => {
  const endpoints = [slice(at('10.1.0.2', 'a'))];
  const greedy: Service = {
    metadata: { namespace: 'evil', name: 'greedy', uid: 'cccc-dddd' },
    spec: {
      clusterIP: '10.96.0.6',
      clusterIPs: ['10.96.0.6'],
      externalIPs: ['10.96.0.5', '10.96.0.1', '192.0.2.1', '192.0.2.1', '192.0.2.1/24', 'x'],
      ports: [{ name: 'http', port: 80 }],
    },
  };
  const second: Service = {
    ...web,
    metadata: { uid: 'eeee' },
    spec: { ...web.spec, externalIPs: ['192.0.2.1'] },
  };
  const both = { ...view(web, endpoints), services: [greedy, web, second] };
  const text = ruleset(facts, portRules(both), []);
  const elements = /map services \{\s+type [^\n]+\n\s+elements = \{ (.*) \}/.exec(text)?.[1]?.split(', ');
  assert.deepEqual(elements, [
    '10.96.0.6 . tcp . 80 : goto s-ccccdddd-tcp-80',
    '10.96.0.5 . tcp . 80 : goto s-aaaabbbb-tcp-80',
    '192.0.2.1 . tcp . 80 : goto s-ccccdddd-tcp-80-out',
  ]);
});

test('one address in two spellings is one address', () => {
  const twice: Service = {
    ...web,
    spec: {
      ...web.spec,
      externalIPs: ['2001:db8::1', '2001:0db8:0:0::0001', 'fe80::1%eth0'],
      clusterIPs: ['fd00::5'],
    },
  };
  assert.deepEqual(
    portRules({ ...view(twice, []), family: 6 }).map(({ externalIps }) => externalIps),
    [['2001:db8::1']],
  );
});

const balanced = (ip: string, type: 'LoadBalancer' | 'NodePort' = 'LoadBalancer'): Service => ({
  ...web,
  spec: { ...web.spec, type },
  status: { loadBalancer: { ingress: [{ ip }] } },
});

test('an address of a load balancer is a destination; one outside its range, or of another type, is not', () => {
  const elements = (service: Service): string =>
    ruleset(facts, portRules(view(service, [slice(at('10.1.0.2', 'a'))])), []);
  assert.match(elements(balanced('10.1.112.7')), /10\.1\.112\.7 \. tcp \. 80 : goto s-aaaabbbb-tcp-80-out/);
  assert.doesNotMatch(elements(balanced('192.0.2.1')), /192\.0\.2\.1/);
  assert.doesNotMatch(elements(balanced('10.1.112.7', 'NodePort')), /10\.1\.112\.7/);
});

test('nobody takes an address of a load balancer by naming it external', () => {
  const thief = { ...web, spec: { ...web.spec, externalIPs: ['10.1.112.7'] } };
  const text = ruleset(facts, portRules(view(thief, [slice(at('10.1.0.2', 'a'))])), []);
  assert.doesNotMatch(text, /10\.1\.112\.7 \./);
});

test('node ports answer at 127.0.0.1 where programs of the machine are, but for those of the home itself', () => {
  const rules = portRules(view(web, [slice(at('10.1.0.2', 'a'))]));
  const loopback = { devices: ['br0'] };
  const text = ruleset({ ...facts, loopback }, rules, []);
  assert.match(
    text,
    /map loopback-ports \{\n.*\n +elements = \{ tcp \. 30080 : goto s-aaaabbbb-tcp-80-out \}/,
  );
  assert.match(text, /iifname \{ "br0" \} ip daddr 127\.0\.0\.0\/8 drop/);
  assert.match(text, /ip saddr 127\.0\.0\.0\/8 oifname != "lo" ct status dnat masquerade/);
  const reserved = ruleset({ ...facts, loopback, reserved: [30080] }, rules, []);
  assert.doesNotMatch(reserved.split('map host-ports')[0]?.split('map loopback-ports')[1] ?? '', /30080/);
  for (const none of [facts, { ...facts, loopback, family: 6 as const }])
    assert.doesNotMatch(ruleset(none, rules, []), /loopback-ports/);
});

test('a port at which the home itself listens is lent to nobody, at whatever address', () => {
  const hostPort = (port: number, hostIP?: string): Pod => ({
    metadata: { namespace: 'ns', name: `p${port}`, uid: `u${port}` },
    spec: {
      nodeName: 'a',
      containers: [
        { name: 'c', image: '', ports: [{ containerPort: 80, hostPort: port, ...(hostIP && { hostIP }) }] },
      ],
    },
    status: { phase: 'Running', podIP: '10.1.0.9', podIPs: [{ ip: '10.1.0.9' }] },
  });
  const ports = hostPorts({
    ...view(web, []),
    pods: [hostPort(6443), hostPort(6445, '192.0.2.1'), hostPort(8080), hostPort(8081, '192.0.2.1')],
  });
  const rules = portRules(view(web, [slice(at('10.1.0.2', 'a'))]));
  const text = ruleset({ ...facts, reserved: [6443, 6445, 30080] }, rules, ports);
  assert.doesNotMatch(text, /tcp \. (6443|6445|30080) : goto/);
  assert.match(text, /tcp \. 8080 : goto [^]*192\.0\.2\.1 \. tcp \. 8081 : goto/);
});

test('UDP flows to endpoints that went are ended by so many programs and no more', () => {
  const services = Array.from(
    { length: 50 },
    (_, i): Service => ({
      ...web,
      metadata: { ...web.metadata, uid: `u${i}` },
      spec: {
        clusterIPs: [`10.96.1.${i + 1}`],
        ports: Array.from({ length: 20 }, (_p, p) => ({ name: `p${p}`, port: 80 + p, protocol: 'UDP' })),
      },
    }),
  );
  const many: EndpointSlice = {
    ...slice(...Array.from({ length: 200 }, (_, i) => at(`10.1.${i >> 7}.${(i & 127) + 2}`, 'a'))),
    ports: Array.from({ length: 20 }, (_, p) => ({ name: `p${p}`, port: 80 + p, protocol: 'UDP' as const })),
  };
  const rules = services.flatMap((service) => portRules(view(service, [many])));
  const flows = staleFlows(rules, []);
  assert.ok(flows.length <= 64, `${flows.length} programs`);
  // None is left out: where many endpoints went, all flows of the address are ended.
  assert.equal(new Set(flows.map(({ destination }) => destination)).size, 50);
});

test('a Service of thousands of ports and endpoints does not hold up all others', () => {
  const ports = Array.from({ length: 2000 }, (_, i) => ({ name: `p${i}`, port: i + 1 }));
  const huge: Service = { ...web, spec: { ...web.spec, ports } };
  const endpoints = Array.from({ length: 1000 }, (_, i) => at(`10.1.${i >> 8}.${i & 255}`, 'a'));
  const text = ruleset(facts, portRules(view(huge, [{ ...slice(...endpoints), ports }])), []);
  assert.ok(text.length < 1_000_000, `${text.length} characters`);
});
