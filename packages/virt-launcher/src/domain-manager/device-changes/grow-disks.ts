/** Disks of a running domain grow with their claims. */
import { isHotpluggable, type SyncOptions, type VirtualMachineInstance } from '@podvisor/api';
import { type DomainRef, type LibvirtConnection, STATS } from '@podvisor/libvirt';
import { deviceBytes, imageRoom, roomForImage } from '@podvisor/storage';
import { type Domain, domainFromXml } from '@podvisor/translate';
import { withRawDisks } from '../../backup/tracked-disks.ts';
import { domainFacts } from '../../domain/domain-facts.ts';
import { explain, LauncherError } from '../../launcher-error.ts';
import type { DomainContext } from '../context.ts';
import { diskSizes, grownDisks } from './growth.ts';

/**
 * After a start: claims that were plugged into the Pod before it. Their images are as they were found, where those of
 * the other claims were made as large as their claims; and nothing else would make virt-handler call again.
 */
export async function growPluggedDisks(
  { session: { connection }, domainName, observer }: DomainContext,
  { spec }: VirtualMachineInstance,
  options: SyncOptions,
): Promise<void> {
  if (spec.volumes?.some(isHotpluggable) !== true) return;
  const domain = await connection.lookupByName(domainName);
  if (domain === undefined) return;
  const live = domainFromXml(await connection.getXml(domain));
  if (await growDisks(connection, domain, live, options)) await observer.refresh();
}

/** Gives every disk what its claim has become, and tells the guest. True when one has grown. */
export async function growDisks(
  connection: LibvirtConnection,
  domain: DomainRef,
  live: Domain,
  { volumes = {} }: SyncOptions,
): Promise<boolean> {
  const room = Object.fromEntries(
    (withRawDisks(live).devices?.disks ?? []).flatMap(({ alias, source, device }) => {
      const name = alias?.name?.replace(/^ua-/, '') ?? '';
      const claim = volumes[name];
      if (claim?.capacityBytes === undefined || device === 'cdrom') return [];
      // A disk that was copied to a device is a part of it until it is started anew.
      if (source?.slices !== undefined) return [];
      // A device is as large as it is, whatever its claim says; an image grows into its claim.
      if (source?.dev !== undefined) return [[name, { ...claim, capacityBytes: deviceBytes(source.dev) }]];
      if (source?.file === undefined) return [];
      return [[name, { ...claim, capacityBytes: imageRoom(source.file, roomForImage(claim)) }]];
    }),
  );
  if (Object.keys(room).length === 0) return false;
  const [stats] = await connection.inspect.allStats(STATS.block, 0, [domain]);
  const sizes = diskSizes(stats?.params ?? {});
  // While something else keeps QEMU busy, libvirt answers without them. Unknown is not large enough.
  if (sizes.size === 0) throw new LauncherError('libvirt does not tell how large the disks are');
  const grown = grownDisks(domainFacts(live).diskTargets, sizes, room);
  for (const { target, sizeBytes } of grown) {
    await connection.devices.blockResize(domain, target, sizeBytes).catch((error: unknown) => {
      throw explain(`disk ${target} could not grow to ${sizeBytes} bytes`, error);
    });
  }
  return grown.length > 0;
}
