/**
 * `virtctl render` shows the domain that runs. The live way, with its own code: the Pod's command line as the launcher
 * parses it, what virt-handler sends, the launcher's context and domain. What only a running Pod knows (addresses,
 * files that were found) is given to both. `test/e2e/guests.test.ts` compares with a guest that runs (`--diff`).
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { InterfaceAttachment, KubeVirt, VirtualMachineInstance } from '@podvisor/api';
import { bindingKind, planBinding, podInterfaceName } from '@podvisor/network';
import { type ConverterContext, domainToXml, launcherDomain } from '@podvisor/translate';
import { typicalVmis } from '../../packages/translate/src/testing/typical-vmis.ts';
import { syncOptions } from '../../packages/virt-handler/src/sync/sync-options.ts';
import { launcherContext } from '../../packages/virt-launcher/src/domain/launcher-context.ts';
import { parseFlags } from '../../packages/virt-launcher/src/flags.ts';
import { type ManifestDocument, parseDocuments } from '../../packages/virtctl/src/render/documents.ts';
import { hostOf, type RenderHost } from '../../packages/virtctl/src/render/host.ts';
import { inputOf } from '../../packages/virtctl/src/render/input.ts';
import { renderVmi } from '../../packages/virtctl/src/render/render.ts';
import { toVmi } from '../../packages/virtctl/src/render/to-vmi.ts';

const examples = new URL('../../examples/', import.meta.url);
const HOSTS: readonly (readonly [string, boolean])[] = [
  ['KVM', true],
  ['emulation', false],
];

/** What network phase 1 makes of the VMI's NICs in a Pod whose own have these addresses. */
function attachments(vmi: VirtualMachineInstance, { config }: RenderHost): readonly InterfaceAttachment[] {
  return (vmi.spec.domain.devices.interfaces ?? []).flatMap((nic, index) => {
    const network = vmi.spec.networks?.find(({ name }) => name === nic.name);
    if (network === undefined || bindingKind(nic, config.networkBindings) === undefined) return [];
    const guest = { hostname: 'h', dnsServers: [], searchDomains: [] };
    const podNic = {
      name: podInterfaceName(network),
      mac: `0a:58:0a:f4:00:0${index}`,
      mtu: 1450,
      ipv4: { address: '10.244.0.5', prefixLength: 24 },
      routes: [{ destination: 'default', gateway: '10.244.0.1' }],
    };
    const spec = { interface: nic, network, index, queueCount: 1, guest };
    const observed = { links: [], routes: [], natTables: {} };
    return [planBinding(spec, podNic, observed, config.networkBindings).attachment];
  });
}

function bothWays(vmi: VirtualMachineInstance, host: RenderHost, given: Partial<ConverterContext>) {
  const interfaces = attachments(vmi, host);
  let found: ConverterContext | undefined;
  const learn = (assumed: ConverterContext): ConverterContext => {
    const known = assumed.interfaces.map((nic) => {
      const { mac, mtu } = interfaces.find(({ name }) => name === nic.name) ?? {};
      return { ...nic, ...(mac === undefined ? {} : { mac }), ...(mtu === undefined ? {} : { mtu }) };
    });
    found = { ...assumed, interfaces: known, ...given };
    return found;
  };
  const { pod, xml } = renderVmi(vmi, { ...host, learn }, {}, 'the manifest');
  const command = pod.spec.containers[0]?.command ?? [];
  const flags = parseFlags(command.slice(command.findIndex((word) => word.endsWith('/virt-launcher')) + 1));
  const node = { name: 'node', kvmUsable: host.kvm };
  const options = syncOptions(vmi, host.config, node, interfaces);
  const context = launcherContext(
    flags,
    { ...options, ...given, volumes: options.volumes, interfaces },
    {
      volumes: found?.volumes,
      efi: found?.efi,
      sriovDevices: found?.sriovDevices,
      hasEmulatorScript: !host.kvm,
    },
  );
  return { live: domainToXml(launcherDomain(vmi, context)), rendered: xml };
}

/** The VMs of one file, each with the rest of it. */
function vmisIn(documents: readonly ManifestDocument[], host: RenderHost): readonly VirtualMachineInstance[] {
  const machines = documents.filter(({ object }) => object.kind === 'VirtualMachine');
  const others = documents.filter(({ object }) => object.kind !== 'VirtualMachine');
  let count = 0;
  const newUuid = (): string => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
  return machines.map((machine) => {
    const vmi = toVmi(inputOf([machine, ...others]), host.config, { now: '2026-11-16T00:00:00Z', newUuid });
    return { ...vmi, metadata: { ...vmi.metadata, uid: '0b1f0a5e-0000-4000-8000-000000000001' } };
  });
}

for (const [what, kvm] of HOSTS) {
  test(`examples, by ${what}: what is rendered is what runs`, () => {
    let count = 0;
    for (const file of readdirSync(examples).filter((name) => name.endsWith('.yaml'))) {
      const documents = parseDocuments(readFileSync(new URL(file, examples), 'utf8'), file);
      const kubevirt = documents.find(({ object }) => object.kind === 'KubeVirt')?.object as
        | KubeVirt
        | undefined;
      const host = hostOf(kubevirt, { kvm });
      for (const vmi of vmisIn(documents, host)) {
        const { live, rendered } = bothWays(vmi, host, {});
        assert.equal(rendered, live, `${file}: ${vmi.metadata?.name}`);
        count++;
      }
    }
    assert.ok(count >= 9, `only ${count} machines in the examples`);
  });

  test(`typical guests, by ${what}: what is rendered is what runs`, () => {
    const host = hostOf(undefined, { kvm });
    for (const { name, vmi, context = {} } of typicalVmis) {
      if ((vmi.spec.architecture ?? 'amd64') !== 'amd64') continue;
      const { interfaces: _interfaces, volumes: _volumes, ...given } = context;
      const { live, rendered } = bothWays(vmi, host, { ...given, kvmAvailable: kvm, allowEmulation: !kvm });
      assert.equal(rendered, live, name);
    }
  });
}
