/** What Multus (or the embedded home's kubelet) says about a Pod's further networks. Written by others: bounded. */

const NETWORK_STATUS = 'k8s.v1.cni.cncf.io/network-status';
const MAX_TEXT = 64 * 1024;

/** NICs of the Pod besides its own, by name, with their addresses. */
export function podNicsOf(
  annotations: Readonly<Record<string, string>> | undefined,
): ReadonlyMap<string, readonly string[]> {
  const text = annotations?.[NETWORK_STATUS] ?? '';
  const nics = new Map<string, readonly string[]>();
  if (text === '' || text.length > MAX_TEXT) return nics;
  for (const entry of parse(text)) {
    if (typeof entry !== 'object' || entry === null) continue;
    const { interface: name, ips, default: isOwn } = entry as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || isOwn === true) continue;
    nics.set(name, Array.isArray(ips) ? ips.filter((ip) => typeof ip === 'string') : []);
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
