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
  const text = annotations?.[NETWORK_STATUS] ?? '';
  const nics = new Map<string, PluggedNic>();
  if (text === '' || text.length > MAX_TEXT) return nics;
  for (const entry of parse(text)) {
    if (typeof entry !== 'object' || entry === null) continue;
    const { interface: name, ips, mac, default: isOwn } = entry as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || isOwn === true) continue;
    nics.set(name, {
      addresses: Array.isArray(ips) ? ips.filter((ip) => typeof ip === 'string') : [],
      ...(typeof mac === 'string' && mac !== '' ? { mac } : {}),
    });
  }
  return nics;
}

function parse(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return []; // Not Multus' hand: nothing is known.
  }
}
