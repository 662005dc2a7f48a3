/**
 * Devices of SR-IOV networks from a container's environment, for nodes whose Multus tells no `device-info`: device
 * plugins name what they gave in `PCIDEVICE_<RESOURCE>`, and `KUBEVIRT_RESOURCE_NAME_<network>` says which resource a
 * network is of. Pure.
 */
import type { NetworkDevice } from '../../pod/networks/network-info.ts';

const DEVICES = 'PCIDEVICE_';
const RESOURCE_OF = 'KUBEVIRT_RESOURCE_NAME_';
const PCI_ADDRESS = /^[0-9a-f]{4}:[0-9a-f]{2}:[01][0-9a-f]\.[0-7]$/i;

/**
 * One device for each network, in order; undefined when the environment does not say enough. Where it names no
 * resources, all networks are of the one resource that there is.
 */
export function devicesFromEnvironment(
  networks: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly NetworkDevice[] | undefined {
  const pools = new Map<string, string[]>(
    Object.entries(env).flatMap(([name, value = '']) => {
      const addresses = value.split(',').filter((address) => PCI_ADDRESS.test(address));
      // `…_INFO` beside it tells the same in other words.
      return name.startsWith(DEVICES) && addresses.length > 0 ? [[name, addresses]] : [];
    }),
  );
  const only = pools.size === 1 ? [...pools.keys()][0] : undefined;
  const devices = networks.flatMap((network): readonly NetworkDevice[] => {
    const resource = env[`${RESOURCE_OF}${network}`];
    const pool = pools.get(resource === undefined ? (only ?? '') : variableOf(resource));
    const address = pool?.shift();
    if (address === undefined) return [];
    return [{ network, deviceInfo: { type: 'pci', version: '1.0.0', pci: { 'pci-address': address } } }];
  });
  return devices.length === networks.length ? devices : undefined;
}

/** As the SR-IOV device plugin spells it. */
function variableOf(resource: string): string {
  return `${DEVICES}${resource.toUpperCase().replaceAll(/[./-]/g, '_')}`;
}
