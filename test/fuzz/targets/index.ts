/** Every parser that meets bytes of tenants, guests, registries or the network, by the name that the fuzzer knows it by. */
import type { FuzzTarget } from '../frame/target.ts';

/** Modules are loaded when they are asked for: each thread fuzzes one. */
export const targets: Readonly<Record<string, () => Promise<FuzzTarget>>> = {
  json: async () => (await import('./json.ts')).target,
  'json-patch': async () => (await import('./patches.ts')).jsonPatches,
  'merge-patch': async () => (await import('./patches.ts')).mergePatches,
  'strategic-patch': async () => (await import('./patches.ts')).strategicPatches,
  yaml: async () => (await import('./yaml.ts')).target,
  protobuf: async () => (await import('./protobuf.ts')).target,
  'label-selector': async () => (await import('./selectors.ts')).labels,
  'field-selector': async () => (await import('./selectors.ts')).fields,
  cel: async () => (await import('./cel.ts')).target,
  pattern: async () => (await import('./cel.ts')).pattern,
  accept: async () => (await import('./http.ts')).accept,
  path: async () => (await import('./http.ts')).path,
  admission: async () => (await import('./admission.ts')).target,
  quantity: async () => (await import('./values.ts')).quantity,
  schedule: async () => (await import('./values.ts')).schedule,
  'json-path': async () => (await import('./values.ts')).jsonPath,
  websocket: async () => (await import('./streams.ts')).websocket,
  'node-listener': async () => (await import('./node-listener.ts')).target,
  spdy: async () => (await import('./streams.ts')).spdy,
  'certificate-request': async () => (await import('./certificate-request.ts')).target,
  dhcp: async () => (await import('./guest-network.ts')).dhcp,
  dhcp6: async () => (await import('./guest-network.ts')).dhcp6,
  'router-solicitation': async () => (await import('./guest-network.ts')).routerSolicitation,
  dns: async () => (await import('./dns.ts')).target,
  'guest-agent': async () => (await import('./guest-agent.ts')).agent,
  'domain-state': async () => (await import('./guest-agent.ts')).domainState,
  'qemu-monitor': async () => (await import('./guest-streams.ts')).qemuMonitor,
  'metrics-channel': async () => (await import('./guest-streams.ts')).metricsChannel,
  nbd: async () => (await import('./guest-streams.ts')).nbd,
  'guest-memory': async () => (await import('./guest-memory.ts')).stream,
  'guest-memory-file': async () => (await import('./guest-memory.ts')).file,
  'disk-answers': async () => (await import('./launcher-answers.ts')).disks,
  'usage-history': async () => (await import('./launcher-answers.ts')).usage,
  'image-header': async () => (await import('./images.ts')).header,
  'qcow2-tables': async () => (await import('./images.ts')).tables,
  tar: async () => (await import('./tar.ts')).target,
  'image-manifest': async () => (await import('./oci.ts')).layout,
  'image-name': async () => (await import('./oci.ts')).reference,
  'libvirt-rpc': async () => (await import('./libvirt.ts')).rpc,
  'libvirt-xml': async () => (await import('./libvirt.ts')).xml,
  'openpgp-key': async () => (await import('./openpgp.ts')).target,
  ovf: async () => (await import('./machines.ts')).ovf,
  ova: async () => (await import('./machines.ts')).ova,
  'foreign-domain': async () => (await import('./machines.ts')).domain,
};

/** Each input of these starts a process: of `inputs` they get so many. */
const SLOW = new Set(['tar']);
const SLOW_SHARE = 50;

export function inputsFor(target: string, inputs: number): number {
  return SLOW.has(target) ? Math.ceil(inputs / SLOW_SHARE) : inputs;
}
