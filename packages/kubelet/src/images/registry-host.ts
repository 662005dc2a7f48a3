/**
 * The host of an image's registry. Whoever names an image makes the node dial its registry: addresses of the machine
 * itself and link-local ones are refused, unless an administrator allows them.
 */
import { type DialPolicy, kindOfAddress, parseHostAddress } from '@podvisor/base';
import { AddressRefused, checkedHost } from '@podvisor/sys';
import { ImageError } from './types.ts';

/** `host` of `host:port`. */
export function hostOfRegistry(registry: string): string {
  return /^(\[.*\]|[^:]*)(?::[0-9]+)?$/.exec(registry)?.[1] ?? registry;
}

/** Whether the name means this machine: its images were loaded by hand, or its registry needs no TLS. */
export function isLocalRegistry(registry: string): boolean {
  const host = hostOfRegistry(registry);
  const address = parseHostAddress(host);
  if (address !== undefined) return kindOfAddress(address) === 'loopback';
  return host === 'localhost' || host === 'podvisor.local';
}

/** Throws ImageError when the registry must not be dialled. A name is resolved, and all that it means is checked. */
export async function checkRegistry(image: string, registry: string, policy: DialPolicy): Promise<void> {
  try {
    const { host, lookup } = checkedHost(hostOfRegistry(registry), policy);
    if (parseHostAddress(host) !== undefined) return;
    await new Promise<void>((resolve, reject) => {
      lookup(host, { all: true }, (error) => {
        // A name without an address is the pull's to tell.
        if (error instanceof AddressRefused) reject(error);
        else resolve();
      });
    });
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    throw new ImageError(
      'ErrImagePull',
      image,
      `failed to pull image "${image}": ${error.message}; an image of this machine is loaded with \`podvisor image import\`, and addresses.json of the home allows a registry`,
      error,
    );
  }
}
