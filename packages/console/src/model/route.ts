/** Where in the page we are, as it stands behind the `#` of the address. Pure. */

export interface Route {
  /** `''`: the table of VMs. */
  readonly page: string;
  readonly namespace: string;
  readonly name: string;
  /** `''`: the first one. */
  readonly tab: string;
}

/** Anybody can write an address: what cannot be read is taken as it stands. */
export function routeOf(hash: string): Route {
  const [, page = '', namespace = '', name = '', tab = ''] = hash.split('/').map(decoded);
  return { page, namespace, name, tab };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a VM, or of one of its tabs. */
export function vmAddress(namespace: string, name: string, tab = ''): string {
  return ['#', 'vm', ...[namespace, name, tab].filter((part) => part !== '').map(encodeURIComponent)].join(
    '/',
  );
}
