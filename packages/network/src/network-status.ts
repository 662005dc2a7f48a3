/** What Multus (or the embedded home's kubelet) says about a Pod's further networks. Written by others: bounded. */

const NETWORK_STATUS = 'k8s.v1.cni.cncf.io/network-status';
const MAX_TEXT = 64 * 1024;

/** One further NIC of a Pod. */
export interface PluggedNic {
  readonly addresses: readonly string[];
  readonly mac?: string;
}

/** NICs of the Pod besides its own, by name. */
export function podNicsOf(
  annotations: Readonly<Record<string, string>> | undefined,
): ReadonlyMap<string, PluggedNic> {
  const nics = new Map<string, PluggedNic>();
  for (const { interface: name, ips, mac, default: isOwn } of parseList(annotations?.[NETWORK_STATUS])) {
    if (typeof name !== 'string' || isOwn === true) continue;
    nics.set(name, {
      addresses: Array.isArray(ips) ? ips.filter((ip) => typeof ip === 'string') : [],
      ...(typeof mac === 'string' && mac !== '' ? { mac } : {}),
    });
  }
  return nics;
}

/** The objects of a list that an annotation of networks holds; none when it is no such list. */
export function parseList(text = ''): readonly Readonly<Record<string, unknown>>[] {
  if (text === '' || text.length > MAX_TEXT) return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter(isObject) : [];
  } catch {
    return []; // Not Multus' hand: nothing is known.
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
