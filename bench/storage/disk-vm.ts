/**
 * A VM with two more disks, an image in a claim (vdc) and a device (vdd). Its web page `disk` reads or writes one of
 * them past all caches, again and again, and tells how long it took by the guest's own clock: `write=DISK`,
 * `read=DISK` (256 MiB in pieces of 1 MiB), `put=DISK`, `get=DISK` (4 KiB, one after the other).
 */
import type { VirtualMachine } from '@podvisor/api';
import { helloVm } from '../../test/support/guests/hello-vm.ts';

const MEGABYTES = 256;
const SMALL_BLOCKS = 4000;
/** What one visit moves: the clock has steps of 10 ms, so it has to take a while. */
export const AMOUNTS = {
  write: 2 * MEGABYTES,
  read: 8 * MEGABYTES,
  put: SMALL_BLOCKS,
  get: SMALL_BLOCKS,
} as const;
export const DISKS = { file: 'vdc', device: 'vdd' } as const;

export function diskVm(name: string, networkData?: string): VirtualMachine {
  const page = [
    '#!/bin/sh',
    String.raw`printf "Content-type:text/plain\r\n\r\n"`,
    'disk=/dev/${QUERY_STRING#*=}',
    'started=$(cut -d " " -f 1 /proc/uptime)',
    'case $QUERY_STRING in',
    `write=*) for i in 1 2; do dd if=/dev/zero of=$disk bs=1M count=${MEGABYTES} oflag=direct conv=fsync,notrunc; done ;;`,
    `read=*) for i in 1 2 3 4 5 6 7 8; do dd if=$disk of=/dev/null bs=1M count=${MEGABYTES} iflag=direct; done ;;`,
    `put=*) dd if=/dev/zero of=$disk bs=4k count=${SMALL_BLOCKS} oflag=direct conv=notrunc ;;`,
    `get=*) dd if=$disk of=/dev/null bs=4k count=${SMALL_BLOCKS} iflag=direct ;;`,
    'esac 2>&1',
    'echo took $started $(cut -d " " -f 1 /proc/uptime)',
  ];
  const vm = helloVm({
    name,
    memory: '160Mi',
    interfaces: [{ name: 'default', masquerade: {} }],
    networks: [{ name: 'default', pod: {} }],
    graceSeconds: 0,
    commands: [
      'mkdir -p /www/cgi-bin',
      ...page.map((line) => `echo '${line}' >> /www/cgi-bin/disk`),
      'chmod 755 /www/cgi-bin/disk',
      'httpd -p 80 -h /www',
    ],
    networkData,
  });
  const spec = vm.spec.template.spec;
  if (spec === undefined) return vm;
  const claims = Object.keys(DISKS);
  const disks = [
    ...(spec.domain.devices.disks ?? []),
    ...claims.map((claim) => ({ name: claim, disk: { bus: 'virtio' as const } })),
  ];
  const volumes = [
    ...(spec.volumes ?? []),
    ...claims.map((claim) => ({ name: claim, persistentVolumeClaim: { claimName: claim } })),
  ];
  const domain = { ...spec.domain, devices: { ...spec.domain.devices, disks } };
  return {
    ...vm,
    spec: { ...vm.spec, template: { ...vm.spec.template, spec: { ...spec, domain, volumes } } },
  };
}
