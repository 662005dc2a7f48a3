/** The form of a new VM and the object that it stands for, each made from the other. Pure. */
import { isRecord } from '@podvisor/base';

export interface NewVm {
  readonly name: string;
  readonly namespace: string;
  /** Where its first disk comes from. */
  readonly disk: 'image' | 'url' | 'claim';
  /** Image in a registry, address of a disk image, or name of a claim. */
  readonly from: string;
  /** Of the claim that is made for an address. */
  readonly diskSize: string;
  /** Empty: CPUs and memory count. */
  readonly instancetype: string;
  readonly preference: string;
  readonly cores: string;
  readonly memory: string;
  /** Of the Pod, through address translation or as it is; or the name of a NetworkAttachmentDefinition. */
  readonly network: string;
  readonly sshKey: string;
  /** Cloud-init's user data; a key is added to it. */
  readonly userData: string;
}

export const emptyForm: NewVm = {
  name: '',
  namespace: 'default',
  disk: 'image',
  from: 'podvisor.local/hello:1',
  diskSize: '10Gi',
  instancetype: '',
  preference: '',
  cores: '1',
  memory: '192Mi',
  network: 'masquerade',
  sshKey: '',
  userData: '',
};

/** Bindings of the Pod's network; any other word is the name of a network of its own. */
export const POD_NETWORKS: readonly string[] = ['masquerade', 'bridge', 'passt'];

type Json = Readonly<Record<string, unknown>>;

export function vmOf(form: NewVm): Json {
  const { name, namespace, disk, from, diskSize, instancetype, preference, cores, memory } = form;
  const userData = userDataOf(form);
  const root = {
    image: { containerDisk: { image: from } },
    url: { dataVolume: { name: `${name}-root` } },
    claim: { persistentVolumeClaim: { claimName: from } },
  }[disk];
  const template = {
    metadata: { name: `${name}-root` },
    spec: {
      source: from.startsWith('docker://') ? { registry: { url: from } } : { http: { url: from } },
      storage: { resources: { requests: { storage: diskSize } } },
    },
  };
  const size = { cpu: { cores: /^\d+$/.test(cores) ? Number(cores) : cores }, memory: { guest: memory } };
  const { interfaces, networks } = networkOf(form.network);
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace },
    spec: {
      runStrategy: 'Always',
      ...(instancetype === '' ? {} : { instancetype: { name: instancetype } }),
      ...(preference === '' ? {} : { preference: { name: preference } }),
      ...(disk === 'url' ? { dataVolumeTemplates: [template] } : {}),
      template: {
        metadata: { labels: { 'kubevirt.io/vm': name } },
        spec: {
          domain: {
            ...(instancetype === '' ? size : {}),
            devices: {
              disks: [virtio('root'), ...(userData === '' ? [] : [virtio('cloudinit')])],
              interfaces,
            },
          },
          networks,
          volumes: [
            { name: 'root', ...root },
            ...(userData === '' ? [] : [{ name: 'cloudinit', cloudInitNoCloud: { userData } }]),
          ],
        },
      },
    },
  };
}

const virtio = (name: string): Json => ({ name, disk: { bus: 'virtio' } });

function networkOf(network: string): {
  readonly interfaces: readonly Json[];
  readonly networks: readonly Json[];
} {
  if (network === '') return { interfaces: [], networks: [] };
  const isPod = POD_NETWORKS.includes(network);
  return {
    interfaces: [{ name: 'default', [isPod ? network : 'bridge']: {} }],
    networks: [{ name: 'default', ...(isPod ? { pod: {} } : { multus: { networkName: network } }) }],
  };
}

const HEAD = '#cloud-config\n';
const KEYS = /^ssh_authorized_keys: \[("(?:[^"\\]|\\.)*")\]\n?/m;

function userDataOf({ sshKey, userData }: NewVm): string {
  const key = sshKey.trim();
  const text = userData.trim();
  if (key === '') return text === '' ? '' : `${text}\n`;
  const rest = text.startsWith(HEAD.trim()) ? text.slice(HEAD.trim().length).trimStart() : text;
  return `${HEAD}ssh_authorized_keys: [${JSON.stringify(key)}]\n${rest === '' ? '' : `${rest}\n`}`;
}

/** What the form shows of an object; what it has no field for is not lost by that (`changed`). */
export function formOf(object: unknown): NewVm {
  const vm = at(object);
  const spec = vm('spec');
  const template = spec('template')('spec');
  const volumes = listOf(template('volumes')());
  const root = at(volumes.find((one) => at(one)('name')() === 'root') ?? volumes[0]);
  const url = listOf(spec('dataVolumeTemplates')()).map((one) => at(one)('spec'))[0];
  const source = url?.('source');
  const claim =
    root('persistentVolumeClaim')('claimName')() ??
    (url === undefined ? root('dataVolume')('name')() : undefined);
  const address = source?.('http')('url')() ?? source?.('registry')('url')();
  const userData = textOf(volumes.map((one) => at(one)('cloudInitNoCloud')('userData')()).find(isText));
  const key = KEYS.exec(userData)?.[1];
  const domain = template('domain');
  return {
    name: textOf(vm('metadata')('name')()),
    namespace: textOf(vm('metadata')('namespace')() ?? 'default'),
    disk: address !== undefined ? 'url' : claim !== undefined ? 'claim' : 'image',
    from: textOf(address ?? claim ?? root('containerDisk')('image')()),
    diskSize: textOf(url?.('storage')('resources')('requests')('storage')() ?? emptyForm.diskSize),
    instancetype: textOf(spec('instancetype')('name')()),
    preference: textOf(spec('preference')('name')()),
    cores: textOf(domain('cpu')('cores')() ?? emptyForm.cores),
    memory: textOf(domain('memory')('guest')() ?? emptyForm.memory),
    network: networkIn(template),
    sshKey: key === undefined ? '' : (JSON.parse(key) as string),
    userData: key === undefined ? userData.trim() : restOf(userData),
  };
}

/** Without the key; nothing but the head is nothing. */
function restOf(userData: string): string {
  const rest = userData.replace(KEYS, '').trim();
  return rest === HEAD.trim() ? '' : rest;
}

function networkIn(template: At): string {
  const [link] = listOf(template('domain')('devices')('interfaces')());
  const [network] = listOf(template('networks')());
  const own = at(network)('multus')('networkName')();
  if (own !== undefined) return textOf(own);
  return POD_NETWORKS.find((binding) => at(link)(binding)() !== undefined) ?? '';
}

/** The object after a field of its form was changed: only what that field stands for is touched. */
export function changed(object: unknown, before: NewVm, after: NewVm): unknown {
  return carried(object, vmOf(before), vmOf(after));
}

function carried(object: unknown, before: unknown, after: unknown): unknown {
  if (JSON.stringify(before) === JSON.stringify(after)) return object;
  if (!isRecord(object) || !isRecord(before) || !isRecord(after)) return after;
  const keys = new Set([...Object.keys(object), ...Object.keys(after)]);
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      if (key in before && !(key in after)) return [];
      return [[key, key in after ? carried(object[key], before[key], after[key]) : object[key]]];
    }),
  );
}

/** Which field of the form a field of the object belongs to. */
const PLACES: readonly (readonly [RegExp, keyof NewVm])[] = [
  [/^metadata\.name$|kubevirt\.io\/vm/, 'name'],
  [/^metadata\.namespace/, 'namespace'],
  [/\.(cpu|resources\.\w+\.cpu)\b/, 'cores'],
  [/\.memory\b/, 'memory'],
  [/instancetype/, 'instancetype'],
  [/preference/, 'preference'],
  [/dataVolumeTemplates.*storage/, 'diskSize'],
  [/cloudInit/, 'userData'],
  [/networks|interfaces/, 'network'],
  [/volumes|disks|dataVolumeTemplates/, 'from'],
];

export function fieldOf(path: string): keyof NewVm | undefined {
  return PLACES.find(([place]) => place.test(path))?.[1];
}

/** What lies at a place of an object that anybody may have typed; calling it without a key ends the way. */
interface At {
  (key: string): At;
  (): unknown;
}

function at(value: unknown): At {
  return ((key?: string) => (key === undefined ? value : at(isRecord(value) ? value[key] : undefined))) as At;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
