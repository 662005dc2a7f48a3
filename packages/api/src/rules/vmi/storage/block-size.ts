/** The block size that a disk shows to the guest. */
import type { CustomBlockSize, VMISpec } from '../../../types/index.ts';
import { type Cause, invalid, type Rule, when } from '../../rule.ts';
import { diskTarget, eachDisk } from './disks.ts';

const MINIMUM = 512;
const MAXIMUM = 2_097_152;

export const blockSizeRule: Rule<VMISpec> = {
  id: 'disks.blockSize',
  field: 'domain.devices.disks[].blockSize',
  summary:
    'A custom block size is a power of two from 512 to 2097152, logical at most physical, 512 on SATA; it excludes matchVolume.',
  check: eachDisk((disk, { field }) => {
    const { custom, matchVolume } = disk.blockSize ?? {};
    if (!custom) return [];
    if (matchVolume && matchVolume.enabled !== false)
      return [
        invalid(`${field}.blockSize`, "Block size matching can't be enabled together with a custom value"),
      ];
    return checkCustom(custom, diskTarget(disk)?.target.bus, `${field}.blockSize.custom`);
  }),
};

function checkCustom(custom: CustomBlockSize, bus: string | undefined, field: string): readonly Cause[] {
  const { discardGranularity, logical = 0, physical = 0 } = custom;
  if (logical > physical) {
    return [
      invalid(
        `${field}.logical`,
        `Logical size ${logical} must be the same or less than the physical size of ${physical}`,
      ),
    ];
  }
  // The emulated SATA controllers know no other sector size.
  if (bus === 'sata' && logical !== MINIMUM)
    return [invalid(`${field}.logical`, `Logical size ${logical} must be ${MINIMUM} for SATA devices`)];
  if (discardGranularity !== undefined && logical !== 0 && discardGranularity % logical !== 0) {
    return [
      invalid(
        `${field}.discardGranularity`,
        `Discard granularity ${discardGranularity} must be multiples of logical size ${logical}`,
      ),
    ];
  }
  return [...checkSize(`${field}.logical`, logical), ...checkSize(`${field}.physical`, physical)];
}

function checkSize(field: string, size: number): readonly Cause[] {
  if (size < MINIMUM)
    return [invalid(field, `Provided size of ${size} is less than the supported minimum size of ${MINIMUM}`)];
  if (size > MAXIMUM)
    return [
      invalid(field, `Provided size of ${size} is greater than the supported maximum size of ${MAXIMUM}`),
    ];
  return when(!Number.isInteger(Math.log2(size)), () =>
    invalid(field, `Provided size of ${size} is not a power of 2`),
  );
}
