/**
 * Disks: name, target, bus, caching. Some causes carry a doubled path (`…disks.domain.devices.disks[0]`):
 * it is what clients have always seen.
 */
import type { CDRomTarget, Disk, DiskTarget, LunTarget, VMISpec } from '../../../types/index.ts';
import { isPciAddress } from '../../addresses.ts';
import { dnsLabelProblems } from '../../kubernetes-names.ts';
import { type Cause, invalid, notSupported, type Rule, type RuleContext, when } from '../../rule.ts';

const MAX_SERIAL_CHARACTERS = 256;
/** Pairs that are counted for one disk: more disks of one name than anybody has by mistake. All would be half a million. */
const MOST_PAIRS = 64;
const BUSES = ['virtio', 'scsi', 'sata', 'usb'];
const CACHE_MODES = ['none', 'writethrough', 'writeback'];
const ERROR_POLICIES = ['stop', 'ignore', 'report', 'enospace'];

interface DiskPlace {
  readonly index: number;
  /** `….disks`. */
  readonly disks: string;
  /** `….disks[index]`. */
  readonly field: string;
  /** The doubled path, see above. */
  readonly doubled: string;
}

/** A check that runs for every disk, with its paths. */
export function eachDisk(
  check: (disk: Disk, place: DiskPlace, spec: VMISpec, context: RuleContext) => readonly Cause[],
): Rule<VMISpec>['check'] {
  return (spec, context) =>
    (spec.domain.devices.disks ?? []).flatMap((disk, index) => {
      const disks = `${context.path}.domain.devices.disks`;
      const place = { index, disks, field: `${disks}[${index}]`, doubled: `${disks}.domain.devices.disks` };
      return check(disk, place, spec, context);
    });
}

/** The target of a disk and the name of its field. */
export function diskTarget({
  cdrom,
  disk,
  lun,
}: Disk):
  | { readonly kind: 'disk' | 'lun' | 'cdrom'; readonly target: DiskTarget | LunTarget | CDRomTarget }
  | undefined {
  if (disk) return { kind: 'disk', target: disk };
  if (lun) return { kind: 'lun', target: lun };
  return cdrom && { kind: 'cdrom', target: cdrom };
}

/** Where disks of that name are, among those before: some for each. */
function firstOfName(disks: readonly Disk[], name: string, before: number): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at < before && found.length < MOST_PAIRS; at += 1)
    if (disks[at]?.name === name) found.push(at);
  return found;
}

export const diskRules: readonly Rule<VMISpec>[] = [
  {
    id: 'disks.name.unique',
    field: 'domain.devices.disks[].name',
    summary: 'The names of disks are unique.',
    check: eachDisk(({ name }, { disks, field, index }, spec) =>
      firstOfName(spec.domain.devices.disks ?? [], name, index).map((at) =>
        invalid(`${field}.name`, `${field} and ${disks}[${at}] must not have the same Name.`),
      ),
    ),
  },
  {
    id: 'disks.target.single',
    field: 'domain.devices.disks[]',
    summary: 'A disk has one target: disk, lun or cdrom.',
    check: eachDisk(({ cdrom, disk, lun }, { field }) =>
      when([cdrom, disk, lun].filter((target) => target !== undefined).length > 1, () =>
        invalid(field, `${field} can only have a single target type defined`),
      ),
    ),
  },
  {
    id: 'disks.pciAddress',
    field: 'domain.devices.disks[].disk.pciAddress',
    summary: 'A PCI address is well formed and only given to a virtio disk.',
    check: eachDisk(({ disk }, { doubled, index }) => {
      if (!disk?.pciAddress) return [];
      const own = `${doubled}.disk[${index}]`;
      return [
        ...when(disk.bus !== 'virtio', () =>
          invalid(
            `${own}.pciAddress`,
            `disk ${own}.name - setting a PCI address is only possible with bus type virtio.`,
          ),
        ),
        ...when(!isPciAddress(disk.pciAddress), () =>
          invalid(`${own}.pciAddress`, `disk ${own}.name has malformed PCI address (${disk.pciAddress}).`),
        ),
      ];
    }),
  },
  {
    id: 'disks.bootOrder.positive',
    field: 'domain.devices.disks[].bootOrder',
    summary: 'A boot order is greater than 0.',
    check: eachDisk(({ bootOrder }, { field }) =>
      when(bootOrder !== undefined && bootOrder < 1, () =>
        invalid(`${field}.bootOrder`, `${field} must have a boot order > 0, if supplied`),
      ),
    ),
  },
  {
    id: 'disks.bus',
    field: 'domain.devices.disks[].*.bus',
    summary:
      'The bus is virtio, scsi, sata or usb; a CD-ROM is not on virtio and a SATA disk is not read-only.',
    check: eachDisk((disk, { field }) => {
      const target = diskTarget(disk);
      const bus = target?.target.bus;
      if (!target || !bus) return [];
      const own = `${field}.${target.kind}.bus`;
      if (bus === 'ide') return [invalid(own, 'IDE bus is not supported')];
      if (bus === 'virtio' && target.kind === 'cdrom')
        return [invalid(own, `Bus type ${bus} is invalid for CD-ROM device`)];
      if (bus === 'sata' && disk.disk?.readonly)
        return [invalid(`${field}.disk.bus`, `${bus} hard-disks do not support read-only.`)];
      return when(!BUSES.includes(bus), () =>
        invalid(own, `${field} is set with an unrecognized bus ${bus}, must be one of: [${BUSES.join(' ')}]`),
      );
    }),
  },
  {
    id: 'disks.dedicatedIOThread',
    field: 'domain.devices.disks[].dedicatedIOThread',
    summary: 'Only a virtio disk has an IO thread of its own.',
    check: eachDisk((disk, { doubled, index }) => {
      const bus = diskTarget(disk)?.target.bus;
      return when(disk.dedicatedIOThread && bus && bus !== 'virtio', () =>
        notSupported(`${doubled}[${index}]`, `IOThreads are not supported for disks on a ${bus} bus`),
      );
    }),
  },
  {
    id: 'disks.serial',
    field: 'domain.devices.disks[].serial',
    summary: 'A serial number has letters, digits and _ . + - only, at most 256.',
    check: eachDisk(({ serial }, { field }) => {
      if (!serial) return [];
      return [
        ...when(!/^[A-Za-z0-9_.+-]+$/.test(serial), () =>
          invalid(
            `${field}.serial`,
            `${field} must be made up of the following characters [A-Za-z0-9_.+-], if specified`,
          ),
        ),
        ...when([...serial].length > MAX_SERIAL_CHARACTERS, () =>
          invalid(
            `${field}.serial`,
            `${field} must be less than or equal to ${MAX_SERIAL_CHARACTERS} in length, if specified`,
          ),
        ),
      ];
    }),
  },
  {
    id: 'disks.cache',
    field: 'domain.devices.disks[].cache',
    summary: 'The cache mode is none, writethrough or writeback.',
    check: eachDisk(({ cache }, { field }) =>
      when(cache && !CACHE_MODES.includes(cache), () =>
        invalid(`${field}.cache`, `${field}.cache has invalid value ${cache}`),
      ),
    ),
  },
  {
    id: 'disks.io',
    field: 'domain.devices.disks[].io',
    summary: 'The IO mode is native or threads.',
    check: eachDisk(({ io }, { disks, doubled, index }) =>
      when(io && io !== 'native' && io !== 'threads', () =>
        notSupported(
          `${doubled}[${index}].io`,
          `Disk IO mode for ${disks} is not supported. Supported modes are: native, threads.`,
        ),
      ),
    ),
  },
  {
    id: 'disks.errorPolicy',
    field: 'domain.devices.disks[].errorPolicy',
    summary: 'The error policy is stop, ignore, report or enospace.',
    check: eachDisk(({ errorPolicy }, { field }) =>
      when(errorPolicy !== undefined && !ERROR_POLICIES.includes(errorPolicy), () =>
        invalid(`${field}.errorPolicy`, `${field}.errorPolicy has invalid value "${errorPolicy}"`),
      ),
    ),
  },
  {
    id: 'disks.name.label',
    field: 'domain.devices.disks[].name',
    summary: 'The name of a disk is a DNS label, as it may become the name of a container.',
    check: eachDisk(({ name }, { doubled, index }) =>
      dnsLabelProblems(name).map((problem) => invalid(`${doubled}[${index}].name`, problem)),
    ),
  },
];
