/**
 * The long form of network.test.ts: every binding × families × way of configuration with real guests, MTU 1400 and
 * 9000, and a gigabyte each way through every cell. Run by itself:
 * `node test/e2e/network-matrix.ts [--megabytes 1024] [--families ipv4,ipv6,dual] [--bindings …] [--mtus …] [--ways …]`.
 * Pods of IPv6 alone and with another MTU have a network of their own as their default network.
 */
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import type { KubernetesObject, VirtualMachine } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { defineResource, resources } from '@podvisor/kube';
import { Instance, root } from '../support/instance.ts';
import {
  type Binding,
  type Cell,
  cellsOf,
  type Families,
  INTERFACES,
  nameOf,
  networkData,
  pluginConfig,
  POD_MTU,
  type SideNetwork,
  type Way,
} from '../support/network-matrix/cells.ts';
import { checkCell, type Outside } from '../support/network-matrix/check.ts';
import { NAMED_ADDRESS, serveNames } from '../support/network-matrix/name-server.ts';
import { networkVm } from '../support/guests/network-vm.ts';
import { allowBindings, OutsideServer, POD_NETWORK } from '../support/network-world.ts';

const definitions = defineResource<KubernetesObject & { readonly spec: { readonly config: string } }>(
  'NetworkAttachmentDefinition',
  'network-attachment-definitions',
  'k8s.cni.cncf.io/v1',
);

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '1024' },
    families: { type: 'string', default: 'ipv4,ipv6,dual' },
    bindings: { type: 'string', default: 'masquerade,bridge,passt' },
    mtus: { type: 'string', default: '1500,1400,9000' },
    ways: { type: 'string', default: 'dhcp,network-data' },
  },
});
const bindings = values.bindings.split(',') as Binding[];
const ways = values.ways.split(',') as Way[];
const mtus = values.mtus.split(',').map(Number);
let failures = 0;
for (const families of values.families.split(',') as Families[]) await walk(families);
process.exitCode = failures === 0 ? 0 : 1;

async function walk(families: Families): Promise<void> {
  const instance = await Instance.prepare();
  try {
    await using server = await OutsideServer.start();
    const net = instance.podCidr.split('.')[1] ?? '';
    const cidrs = families === 'ipv4' ? instance.podCidr : `${instance.podCidr},fd00:${net}::/64`;
    const { code, stdout, stderr } = await instance.podvisor([
      'up',
      '--no-wait',
      `${root}/examples/hello.yaml`,
      ...['--api-port', String(instance.apiPort), '--pod-cidr', cidrs],
    ]);
    assert.equal(code, 0, stdout + stderr);
    await instance.client.delete(resources.virtualMachines, { namespace: 'default', name: 'hello' });
    await allowBindings(instance);
    await using names = families === 'ipv6' ? await serveNames(nameServer(net)) : undefined;
    void names;
    const needed = families === 'ipv6' ? mtus : mtus.filter((mtu) => mtu !== POD_MTU);
    const networks = await Promise.all(needed.map((mtu, i) => sideNetwork(instance, families, mtu, i)));
    for (const binding of bindings) {
      const cells = cellsOf(families, binding, Number(values.megabytes), mtus, ways);
      await walkCells(instance, cells, networks, server.port);
    }
  } finally {
    await instance.purge();
  }
}

/** All guests boot at once and are looked at one after the other. */
async function walkCells(
  instance: Instance,
  cells: readonly Cell[],
  networks: readonly SideNetwork[],
  port: number,
): Promise<void> {
  const net = instance.podCidr.split('.')[1] ?? '';
  const { client } = instance;
  const sideOf = ({ mtu }: Cell): SideNetwork | undefined => networks.find((side) => side.mtu === mtu);
  for (const cell of cells) await client.create(resources.virtualMachines, guestOf(cell, sideOf(cell), net));
  for (const cell of cells) {
    const key = { namespace: 'default', name: nameOf(cell) };
    const started = performance.now();
    const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`;
    try {
      const outside = outsideOf(cell, sideOf(cell), net, port);
      const seen = await checkCell(cell, outside, () => client.find(resources.virtualMachineInstances, key));
      console.log(`ok      ${key.name}: ${seen} (${seconds()})`);
    } catch (error) {
      failures += 1;
      const cause = error instanceof Error && error.cause !== undefined ? `: ${messageOf(error.cause)}` : '';
      console.log(`FAILED  ${key.name}: ${messageOf(error)}${cause} (${seconds()})`);
    }
    await client.delete(resources.virtualMachines, key);
  }
}

async function sideNetwork(
  instance: Instance,
  families: Families,
  mtu: number,
  index: number,
): Promise<SideNetwork> {
  const net = instance.podCidr.split('.')[1];
  const side: SideNetwork = {
    name: `mtu-${mtu}`,
    bridge: `pvx${net}-${mtu}`,
    mtu,
    families,
    // Inside the range of Pods: strangers reach no Services.
    prefix4: `10.${net}.${200 + index}`,
    prefix6: `fd00:${net}:${index + 1}`,
  };
  await instance.client.create(definitions, {
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    metadata: { name: side.name, namespace: 'default' },
    spec: { config: pluginConfig(side) },
  });
  return side;
}

function guestOf(cell: Cell, side: SideNetwork | undefined, net: string): VirtualMachine {
  const dnsServer = cell.families === 'ipv6' ? nameServer(net) : `10.${net}.96.10`;
  const vm = networkVm(
    nameOf(cell),
    [{ name: 'default', ...INTERFACES[cell.binding] }],
    POD_NETWORK,
    cell.way === 'dhcp' ? undefined : networkData(cell, dnsServer),
    cell.binding === 'passt' && cell.families === 'ipv6' ? [speakFirst(dnsServer)] : [],
  );
  const { metadata, spec } = vm.spec.template;
  if (spec === undefined) return vm;
  // The embedded home's name server has an IPv4 address only.
  const dns = { dnsPolicy: 'None', dnsConfig: { nameservers: [dnsServer] } } as const;
  const annotations: Record<string, string> =
    side === undefined ? {} : { 'v1.multus-cni.io/default-network': `default/${side.name}` };
  const template = {
    metadata: { ...metadata, annotations },
    spec: cell.families === 'ipv6' ? { ...spec, ...dns } : spec,
  };
  return { ...vm, spec: { ...vm.spec, template } };
}

/**
 * passt before 2024 sends connections to `::` once it has heard a guest look for duplicates of its address, until the
 * guest has spoken. Nobody can ask this one to.
 */
function speakFirst(address: string): string {
  return `(for i in $(seq 90); do ping -c 1 -W 1 ${address}; sleep 1; done) >/dev/null 2>&1 &`;
}

/** For Pods of IPv6 alone. */
function nameServer(net: string): string {
  return `fd00:${net}:53::1`;
}

function outsideOf(cell: Cell, side: SideNetwork | undefined, net: string, port: number): Outside {
  const address = {
    4: side === undefined ? `10.${net}.0.1` : `${side.prefix4}.1`,
    6: side === undefined ? `fd00:${net}::1` : `${side.prefix6}::1`,
  };
  return cell.families === 'ipv6'
    ? { address, port, name: 'anything.example', nameMeans: new RegExp(NAMED_ADDRESS) }
    : { address, port, name: 'kubernetes.default.svc.cluster.local', nameMeans: /\.96\.1\b/ };
}
