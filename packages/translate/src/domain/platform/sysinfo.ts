/** `<sysinfo>`: what the guest reads from SMBIOS. */
import type { Part } from '../part.ts';

type Entry = readonly [name: string, value: string | undefined];

function entriesOf(pairs: readonly Entry[]): { entries?: readonly { name: string; value: string }[] } {
  const entries = pairs.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  return entries.length === 0 ? {} : { entries };
}

/** SMBIOS strings: identity of the VM, brand of the cluster, chassis of the spec. */
export const sysinfoPart: Part = {
  name: 'sysinfo',
  fields: ['spec.domain.firmware', 'spec.domain.chassis'],
  convert: ({ spec, context }) => {
    const firmware = spec.domain.firmware;
    const chassis = spec.domain.chassis;
    const brand = context.smbios;
    return {
      sysinfo: {
        type: 'smbios',
        system: entriesOf([
          ['uuid', firmware === undefined ? undefined : (firmware.uuid ?? '')],
          ['serial', firmware?.serial || undefined],
          ...(brand === undefined
            ? []
            : ([
                ['manufacturer', brand.manufacturer ?? ''],
                ['family', brand.family ?? ''],
                ['product', brand.product ?? ''],
                ['sku', brand.sku ?? ''],
                ['version', brand.version ?? ''],
              ] as const)),
        ]),
        bios: {},
        baseBoard: {},
        chassis: entriesOf([
          ['manufacturer', chassis && (chassis.manufacturer ?? '')],
          ['version', chassis && (chassis.version ?? '')],
          ['serial', chassis && (chassis.serial ?? '')],
          ['asset', chassis && (chassis.asset ?? '')],
          ['sku', chassis && (chassis.sku ?? '')],
        ]),
      },
    };
  },
};
