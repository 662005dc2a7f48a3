/**
 * A masqueraded guest beside the proxy of a service mesh. The proxy's part is played by listeners at its ports and by
 * the rules that its init container writes before us: what comes to the Pod is led to 15006, what the guest sends
 * (`traffic.sidecar.istio.io/kubevirtInterfaces: k6t-eth0`) to 15001.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { nftApply, nftTable } from '@podvisor/sys';
import { applyActions, observeNetns } from '../apply.ts';
import type { BindingSpec } from '../binding.ts';
import { planBinding } from '../plan.ts';
import { describePodNic } from '../pod-nic.ts';
import { LAN_ADDRESS, POD_ADDRESS, PodStandIn } from '../testing/pod.ts';
import { undoMasquerade } from './undo.ts';

/** The proxy speaks to its own Pod from here. */
const ENVOY = '127.0.0.6';
/** iptables' chains have capital names, and live in the same table as ours. */
const ISTIO = `table ip nat {
  chain PREROUTING {
    type nat hook prerouting priority -100; policy accept;
    iifname "k6t-eth0" meta l4proto tcp redirect to :15001
    iifname "eth0" tcp dport != { 22, 15008, 15020, 15021, 15090 } redirect to :15006
  }
}
`;

let net: PodStandIn;
beforeEach(async () => {
  net = await PodStandIn.create();
  await nftApply(net.pod, ISTIO);
  const observed = await observeNetns(net.pod);
  const nic = describePodNic('eth0', observed.links, observed.routes);
  assert.ok(nic);
  const spec: BindingSpec = {
    interface: { name: 'default', masquerade: {} },
    network: { name: 'default', pod: {} },
    index: 0,
    queueCount: 1,
    hasMeshProxy: true,
    guest: { hostname: 'hello', dnsServers: [], searchDomains: [] },
  };
  const { actions, attachment } = planBinding(spec, nic, observed);
  await applyActions(net.pod, actions);
  await net.plugGuest(attachment);
  await net.serveDhcp(attachment);
  await net.requestLease();
});
afterEach(() => net.dispose());

test('the proxy hears what comes and what the guest sends; SSH goes past it; it reaches the guest', async () => {
  await Promise.all([
    net.serveTcp(net.pod, 15006, 'inbound'),
    net.serveTcp(net.pod, 15001, 'outbound'),
    net.serveTcp(net.pod, 15021, 'health'),
    net.serveTcp(net.guest, 80, 'guest'),
    net.serveTcp(net.guest, 22, 'ssh'),
    net.serveTcp(net.guest, 15021, 'not to be reached'),
    net.serveTcp(net.lan, 8080, 'world'),
  ]);
  const cases: readonly [string, string, string, number, string, string?][] = [
    ['what comes', net.lan, POD_ADDRESS, 80, `inbound ${LAN_ADDRESS}`],
    ['SSH', net.lan, POD_ADDRESS, 22, `ssh ${LAN_ADDRESS}`],
    ['the health port of the proxy', net.lan, POD_ADDRESS, 15021, `health ${LAN_ADDRESS}`],
    ['what the guest sends', net.guest, LAN_ADDRESS, 8080, 'outbound 10.0.2.2'],
    ['the proxy to the guest, by the loopback', net.pod, '127.0.0.1', 80, 'guest 10.0.2.1', ENVOY],
    ['the proxy to the guest, by the address of the Pod', net.pod, POD_ADDRESS, 80, 'guest 10.0.2.1', ENVOY],
    ['a container of the Pod to the guest', net.pod, '127.0.0.1', 80, 'guest 10.0.2.1'],
    ['a container to the proxy itself', net.pod, '127.0.0.1', 15021, 'health 127.0.0.1'],
  ];
  for (const [what, from, to, port, answer, source] of cases)
    assert.equal(await net.readTcp(from, to, port, source), answer, what);
});

test('what others wrote into the table stays when ours is undone', async () => {
  await applyActions(net.pod, undoMasquerade('eth0', await observeNetns(net.pod)));
  const left = (await nftTable(net.pod, 'ip', 'nat')) ?? '';
  assert.match(left, /redirect to :15006/);
  assert.doesNotMatch(left, /10\.0\.2\.2|KUBEVIRT/);
});
