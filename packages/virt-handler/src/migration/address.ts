/** Where this node is reached by migrations. Pure. */
import type { NetworkInterfaceInfo } from 'node:os';

/** The NIC that a migration network (`migrations.network`) gives to the Pod of virt-handler. */
const MIGRATION_NIC = 'migration0';

type Nics = Readonly<Record<string, readonly Pick<NetworkInterfaceInfo, 'address' | 'family'>[] | undefined>>;

/** The address on the migration network when there is one, else `otherwise`. Link-local addresses do not count. */
export function migrationAddress(nics: Nics, otherwise: string): string {
  const usable = (nics[MIGRATION_NIC] ?? []).filter(({ address }) => !/^fe80:/i.test(address));
  const [first] = usable.toSorted((a, b) => a.family.localeCompare(b.family)); // IPv4 before IPv6
  return first?.address ?? otherwise;
}
