/**
 * Further networks of a Pod, as Multus' annotations ask for them, so that Pods written for a cluster with
 * Multus find the same here. Pure: reads the elements, makes CNI configurations of NetworkAttachmentDefinitions,
 * and writes the status that clients read.
 */
import { isRecord } from '@podvisor/base';
import type { Pod } from '@podvisor/api';
import type { CniResult } from '@podvisor/sys';

export const NETWORKS = 'k8s.v1.cni.cncf.io/networks';
export const DEFAULT_NETWORK = 'v1.multus-cni.io/default-network';
export const NETWORK_STATUS = 'k8s.v1.cni.cncf.io/network-status';

/** IFNAMSIZ without its final zero. */
const MAX_IFNAME = 15;
const MAX_NETWORKS = 32;
/**
 * Namespaces whose networks all Pods may have: that of the installation, and `default`, as with Multus' namespace
 * isolation. A network of any other namespace is for the Pods of that namespace: whoever may write Pods in one place
 * is not thereby let into the networks of another.
 */
const SHARED_NAMESPACES: readonly string[] = ['default', 'kubevirt'];

/** One element of the annotation. */
export interface NetworkSelection {
  readonly namespace: string;
  readonly name: string;
  readonly ifname: string;
  readonly mac?: string;
  readonly ips?: readonly string[];
  readonly cniArgs?: Readonly<Record<string, unknown>>;
}

/** A configuration of one CNI plugin. */
export type PluginConfig = Readonly<Record<string, unknown>> & { readonly type: string };

/** The Pod asks for a network in a way that nobody can serve. */
export class NetworkSelectionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NetworkSelectionError';
  }
}

/** The elements: a JSON list, or names as `[namespace/]name[@interface]` with commas between. */
export function selectionsOf(pod: Pod): readonly NetworkSelection[] {
  const text = pod.metadata.annotations?.[NETWORKS]?.trim() ?? '';
  if (text === '') return [];
  const elements = text.startsWith('[')
    ? parseList(text)
    : text.split(',').map((part) => parseShort(part.trim()));
  if (elements.length > MAX_NETWORKS)
    throw new NetworkSelectionError(`${NETWORKS} names more than ${MAX_NETWORKS} networks`);
  const selections = elements.map((element, index) =>
    selectionOf(element, pod.metadata.namespace ?? 'default', index),
  );
  const names = selections.map(({ ifname }) => ifname);
  const twice = names.find(
    (name, index) => name === 'eth0' || name === 'lo' || names.indexOf(name) !== index,
  );
  if (twice !== undefined) throw new NetworkSelectionError(`${NETWORKS} wants the interface ${twice} twice`);
  return selections;
}

/** The network that stands in for the cluster's own, when the Pod names one. */
export function defaultSelectionOf(pod: Pod): NetworkSelection | undefined {
  const text = pod.metadata.annotations?.[DEFAULT_NETWORK]?.trim() ?? '';
  if (text === '') return undefined;
  const element = parseShort(text);
  return { ...selectionOf(element, pod.metadata.namespace ?? 'default', 0), ifname: 'eth0' };
}

interface SelectionElement {
  readonly name?: unknown;
  readonly namespace?: unknown;
  readonly interface?: unknown;
  readonly mac?: unknown;
  readonly ips?: unknown;
  readonly 'cni-args'?: unknown;
}

function parseList(text: string): readonly SelectionElement[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list))
      return list.map((entry: unknown) => (typeof entry === 'object' ? (entry ?? {}) : {}));
  } catch {
    // Said below, in the words of the one who wrote it.
  }
  throw new NetworkSelectionError(`${NETWORKS} is not a JSON list`);
}

function parseShort(text: string): SelectionElement {
  const [path = '', ifname] = text.split('@');
  const [first = '', second] = path.split('/');
  return {
    ...(second === undefined ? { name: first } : { namespace: first, name: second }),
    ...(ifname === undefined ? {} : { interface: ifname }),
  };
}

function selectionOf(element: SelectionElement, home: string, index: number): NetworkSelection {
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? value : undefined;
  const name = text(element.name);
  const namespace = text(element.namespace) ?? home;
  const ifname = text(element.interface) ?? `net${index + 1}`;
  const isName = name !== undefined && /^[a-z0-9][a-z0-9.-]{0,252}$/.test(name);
  if (!isName || !/^[a-z0-9-]{1,63}$/.test(namespace))
    throw new NetworkSelectionError(
      `${NETWORKS} names the network "${namespace}/${name ?? ''}", which is no name`,
    );
  if (namespace !== home && !SHARED_NAMESPACES.includes(namespace))
    throw new NetworkSelectionError(
      `${NETWORKS} names the network "${namespace}/${name}": Pods of namespace ${home} may have networks of ${[home, ...SHARED_NAMESPACES].join(', ')} only`,
    );
  if (ifname.length > MAX_IFNAME || !/^[A-Za-z0-9_.-]+$/.test(ifname) || /^\.+$/.test(ifname))
    throw new NetworkSelectionError(`"${ifname}" cannot be the name of an interface`);
  const mac = text(element.mac);
  if (mac !== undefined && !/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac))
    throw new NetworkSelectionError(`"${mac}" is not a MAC address`);
  const ips = Array.isArray(element.ips) ? element.ips.filter((ip) => typeof ip === 'string') : [];
  const cniArgs = element['cni-args'];
  return {
    namespace,
    name,
    ifname,
    ...(mac === undefined ? {} : { mac: mac.toLowerCase() }),
    ...(ips.length === 0 ? {} : { ips }),
    ...(typeof cniArgs === 'object' && cniArgs !== null ? { cniArgs: { ...cniArgs } } : {}),
  };
}

/**
 * The plugins to run for a selection, in order. `config` is the text of the definition's `spec.config`; it may
 * hold one plugin or a chain. Addresses that host-local gives are kept in `ipamDirectory` unless it says where.
 */
export function pluginChain(
  { namespace, name, mac, ips, cniArgs }: NetworkSelection,
  config: string,
  ipamDirectory: string,
): readonly PluginConfig[] {
  const what = `NetworkAttachmentDefinition ${namespace}/${name}`;
  const parsed = parseConfig(what, config);
  const plugins = Array.isArray(parsed['plugins']) ? parsed['plugins'] : [parsed];
  if (plugins.length === 0) throw new NetworkSelectionError(`${what} holds no plugin`);
  const network = typeof parsed['name'] === 'string' ? parsed['name'] : name;
  return plugins.map((plugin: unknown) => {
    if (!isRecord(plugin) || typeof plugin['type'] !== 'string' || !/^[A-Za-z0-9_-]+$/.test(plugin['type']))
      throw new NetworkSelectionError(`a plugin of ${what} has no type`);
    const { capabilities, ipam, args, ...rest } = plugin;
    const can = (what: string): boolean => isRecord(capabilities) && capabilities[what] === true;
    const runtimeConfig = {
      ...(mac !== undefined && can('mac') ? { mac } : {}),
      ...(ips !== undefined && can('ips') ? { ips } : {}),
    };
    const cni = { ...(mac === undefined ? {} : { mac }), ...(ips === undefined ? {} : { ips }), ...cniArgs };
    return {
      ...rest,
      type: plugin['type'],
      cniVersion: parsed['cniVersion'] ?? '0.3.1',
      name: network,
      ...(ipam === undefined ? {} : { ipam: withDirectory(ipam, ipamDirectory) }),
      ...(Object.keys(runtimeConfig).length === 0 ? {} : { runtimeConfig }),
      ...(args === undefined && Object.keys(cni).length === 0
        ? {}
        : { args: { ...(isRecord(args) ? args : {}), cni } }),
    };
  });
}

function parseConfig(what: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isRecord(parsed)) return parsed;
  } catch {
    // Said below.
  }
  throw new NetworkSelectionError(`spec.config of ${what} is not a JSON object`);
}

function withDirectory(ipam: unknown, directory: string): unknown {
  return isRecord(ipam) && ipam['type'] === 'host-local' ? { dataDir: directory, ...ipam } : ipam;
}

/** One network of a Pod, plugged in. */
export interface PluggedNetwork {
  readonly network: string;
  readonly ifname: string;
  readonly result: CniResult;
}

/** The text of the status annotation: the cluster's own network first. */
export function networkStatus(own: PluggedNetwork, others: readonly PluggedNetwork[]): string {
  const entry = ({ network, ifname, result }: PluggedNetwork, isDefault: boolean): object => {
    const ips = (result.ips ?? []).map(({ address }) => address.split('/', 1).join());
    const mac = result.interfaces?.find(
      (i) => i.name === ifname && i.sandbox !== undefined && i.sandbox !== '',
    )?.mac;
    return {
      name: network,
      interface: ifname,
      ...(ips.length === 0 ? {} : { ips }),
      ...(mac === undefined ? {} : { mac }),
      ...(isDefault ? { default: true } : {}),
      dns: {},
    };
  };
  return JSON.stringify([entry(own, true), ...others.map((other) => entry(other, false))]);
}
