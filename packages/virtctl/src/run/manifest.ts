/** `podvisor run`: the objects that its flags stand for. Pure; what it prints with `--dry-run` is what it applies. */
import { catalogueObjects, type KubernetesObject } from '@podvisor/api';
import { isQuantity, quantityMeant } from '@podvisor/base';

export interface RunRequest {
  readonly name: string;
  readonly namespace: string;
  /** What the root disk is filled with: a container disk, a file that is uploaded, or nothing, to install on. */
  readonly root:
    | { readonly kind: 'registry'; readonly image: string }
    | { readonly kind: 'upload' | 'blank' };
  readonly preference?: string;
  readonly user: string;
  readonly sshKeys: readonly string[];
  readonly cpu: number;
  readonly memory: string;
  readonly disk: string;
  /** `[PORT:]GUEST[/udp]` each. */
  readonly ports: readonly string[];
  /** `CLAIM`, or `NAME:SIZE[:/PATH]` for a new disk, each. */
  readonly volumes: readonly string[];
  /** Bytes of an ISO image that is uploaded, for a CD drive. */
  readonly isoBytes?: number;
}

const MIB = 1024 * 1024;

/** Names of the DataVolumes that wait for an upload. */
export const rootVolume = (name: string): string => `${name}-root`;
export const isoVolume = (name: string): string => `${name}-iso`;

interface Part {
  readonly disk: Readonly<Record<string, unknown>>;
  readonly volume: Readonly<Record<string, unknown>>;
  readonly template?: Readonly<Record<string, unknown>>;
  /** Where the guest mounts it. */
  readonly mount?: { readonly serial: string; readonly path: string };
}

/** The VM, and a Service when ports are asked for. Throws with the flag that is wrong. */
export function runObjects(request: RunRequest): KubernetesObject[] {
  check(request);
  const { name, namespace } = request;
  const extra = request.volumes.map((text) => volumePart(name, text));
  const parts: Part[] = [rootPart(request), ...cdPart(request), ...extra];
  const cloudInit = request.root.kind === 'blank' ? [] : [cloudInitPart(request, extra)];
  const all = [...parts, ...cloudInit];
  const templates = parts.flatMap(({ template }) => (template === undefined ? [] : [template]));
  const vm = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace },
    spec: {
      runStrategy: 'Always',
      ...(templates.length === 0 ? {} : { dataVolumeTemplates: templates }),
      ...(request.preference === undefined ? {} : { preference: { name: request.preference } }),
      template: {
        metadata: { labels: { 'podvisor.io/vm': name } },
        spec: {
          // Named images are of this architecture, and some preferences require that it is said.
          architecture: 'amd64',
          domain: {
            cpu: cpuOf(request),
            memory: { guest: request.memory },
            devices: {
              disks: all.map(({ disk }) => disk),
              interfaces: [{ name: 'default', masquerade: {} }],
            },
          },
          networks: [{ name: 'default', pod: {} }],
          volumes: all.map(({ volume }) => volume),
        },
      },
    },
  };
  return request.ports.length === 0 ? [vm] : [vm, service(request)];
}

/** A preference counts CPUs only in the form that it prefers: sockets, unless it says cores. */
function cpuOf({ cpu, preference }: RunRequest): object {
  const found = catalogueObjects().find(
    ({ kind, metadata }) => kind.endsWith('Preference') && metadata?.name === preference,
  );
  const topology =
    found?.kind === 'VirtualMachineClusterPreference' ? found.spec.cpu?.preferredCPUTopology : undefined;
  return topology === 'cores' ? { cores: cpu } : { sockets: cpu };
}

function check({ name, user, cpu, memory, disk, root, isoBytes }: RunRequest): void {
  if (!/^[a-z]([-a-z0-9]{0,50}[a-z0-9])?$/.test(name))
    throw new Error(`--name "${name}": use small letters, digits and -, beginning with a letter, at most 52`);
  if (!/^[a-z_][-a-z0-9_]{0,30}$/.test(user)) throw new Error(`--user "${user}" is not a name for a user`);
  if (!Number.isInteger(cpu) || cpu < 1) throw new Error(`--cpu "${cpu}": expected a whole number from 1`);
  for (const [flag, text] of Object.entries({ memory, disk }))
    if (!isQuantity(text))
      throw new Error(
        `--${flag} "${text}"${quantityMeant(text) || ': write a size such as 512Mi, 2Gi or 20G'}`,
      );
  if (root.kind === 'blank' && isoBytes === undefined)
    throw new Error('nothing to boot from: name an image, or --from-iso FILE');
}

const claim = (size: string, source: object): object => ({
  storage: { resources: { requests: { storage: size } } },
  source,
});

function rootPart({ name, root, disk }: RunRequest): Part {
  const source =
    root.kind === 'registry' ? { registry: { url: `docker://${root.image}` } } : { [root.kind]: {} };
  return {
    disk: { name: 'root', disk: {}, bootOrder: 1 },
    volume: { name: 'root', dataVolume: { name: rootVolume(name) } },
    template: { metadata: { name: rootVolume(name) }, spec: claim(disk, source) },
  };
}

/** An empty disk does not boot, so the installer does, until there is a system on the disk. */
function cdPart({ name, isoBytes }: RunRequest): readonly Part[] {
  if (isoBytes === undefined) return [];
  const size = `${Math.ceil(isoBytes / MIB) + 1}Mi`;
  return [
    {
      disk: { name: 'iso', cdrom: { bus: 'sata' }, bootOrder: 2 },
      volume: { name: 'iso', dataVolume: { name: isoVolume(name) } },
      template: { metadata: { name: isoVolume(name) }, spec: claim(size, { upload: {} }) },
    },
  ];
}

function volumePart(vm: string, text: string): Part {
  const [, name = '', size, path] =
    /^([a-z0-9][-a-z0-9]{0,19})(?::([^:]+))?(?::(\/[^:,\s]+))?$/.exec(text) ?? [];
  if (name === '' || name === 'root' || name === 'iso' || (size !== undefined && !isQuantity(size)))
    throw new Error(
      `--volume "${text}": write CLAIM for one that is there, or NAME:SIZE or NAME:SIZE:/PATH for a new disk, such as data:10Gi:/srv`,
    );
  const disk = { name, disk: {}, serial: name };
  if (size === undefined) return { disk, volume: { name, persistentVolumeClaim: { claimName: name } } };
  const dataVolume = `${vm}-${name}`;
  return {
    disk,
    volume: { name, dataVolume: { name: dataVolume } },
    template: { metadata: { name: dataVolume }, spec: claim(size, { blank: {} }) },
    ...(path === undefined ? {} : { mount: { serial: name, path } }),
  };
}

function cloudInitPart({ name, user, sshKeys }: RunRequest, extra: readonly Part[]): Part {
  const mounts = extra.flatMap(({ mount }) => mount ?? []);
  const device = (serial: string): string => `/dev/disk/by-id/virtio-${serial}`;
  // JSON is YAML: nothing that people type can become another key.
  const config = {
    hostname: name,
    users: [{ name: user, sudo: 'ALL=(ALL) NOPASSWD:ALL', shell: '/bin/bash', ssh_authorized_keys: sshKeys }],
    ...(mounts.length === 0
      ? {}
      : {
          fs_setup: mounts.map(({ serial }) => ({
            device: device(serial),
            filesystem: 'ext4',
            overwrite: false,
          })),
          mounts: mounts.map(({ serial, path }) => [device(serial), path, 'ext4', 'defaults,nofail']),
        }),
  };
  return {
    disk: { name: 'cloud-init', disk: { bus: 'virtio' } },
    volume: {
      name: 'cloud-init',
      cloudInitNoCloud: { userData: `#cloud-config\n${JSON.stringify(config, null, 2)}\n` },
    },
  };
}

function service({
  name,
  namespace,
  ports,
}: RunRequest): KubernetesObject & Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: {
      type: 'LoadBalancer',
      selector: { 'podvisor.io/vm': name },
      ports: ports.map((text) => {
        const [, outside, guest = '', protocol = 'tcp'] =
          /^(?:(\d+):)?(\d+)(?:\/(tcp|udp))?$/.exec(text) ?? [];
        const [port, targetPort] = [Number(outside ?? guest), Number(guest)];
        if (![port, targetPort].every((number) => number >= 1 && number <= 65_535))
          throw new Error(
            `--port "${text}": write PORT, PORT:GUEST_PORT or either with /udp, from 1 to 65535`,
          );
        return { name: `${protocol}-${port}`, port, targetPort, protocol: protocol.toUpperCase() };
      }),
    },
  };
}
