/** What an architecture has and has not. Only for a VMI: a template may still change its architecture. */
import { memberOf } from '@podvisor/base';
import type { VMISpec } from '../../../types/index.ts';
import { type Cause, invalid, notSupported, type Rule, when } from '../../rule.ts';

const VIDEO_TYPES: Readonly<Record<string, readonly string[]>> = {
  amd64: ['vga', 'cirrus', 'virtio', 'ramfb', 'bochs'],
  arm64: ['virtio', 'ramfb'],
  s390x: ['virtio'],
};

export const architectureRules: readonly Rule<VMISpec>[] = [
  {
    id: 'architecture',
    field: 'architecture',
    summary: 'The architecture is amd64, arm64 or s390x.',
    check: (spec, { path }) =>
      when(!memberOf(VIDEO_TYPES, spec.architecture ?? ''), () =>
        invalid(`${path}.architecture`, `unsupported architecture: ${spec.architecture ?? ''}`),
      ),
  },
  {
    id: 'watchdog.architecture',
    field: 'domain.devices.watchdog',
    summary: 'amd64 has the watchdog i6300esb, s390x diag288, arm64 none.',
    check: (spec, { path }) => {
      const { watchdog } = spec.domain.devices;
      if (!watchdog) return [];
      const field = `${path}.domain.devices.watchdog`;
      const { diag288, i6300esb } = watchdog;
      switch (spec.architecture) {
        case 'amd64':
          return when(!i6300esb || diag288, () =>
            notSupported(field, 'amd64 only supports I6300ESB watchdog device'),
          );
        case 's390x':
          return when(!diag288 || i6300esb, () =>
            notSupported(field, 's390x only supports Diag288 watchdog device'),
          );
        case 'arm64':
          return [notSupported(field, 'Arm64 not support Watchdog device')];
        default:
          return [];
      }
    },
  },
  {
    id: 'video.architecture',
    field: 'domain.devices.video.type',
    summary: 'Video types: amd64 vga, cirrus, virtio, ramfb, bochs; arm64 virtio, ramfb; s390x virtio.',
    check: (spec, { path }) => {
      const { video } = spec.domain.devices;
      const known = memberOf(VIDEO_TYPES, spec.architecture ?? '');
      return when(video && known && !known.includes(video.type ?? ''), () =>
        notSupported(
          `${path}.domain.devices.video.type`,
          `video model '${video?.type ?? ''}' is not supported on ${spec.architecture} architecture`,
        ),
      );
    },
  },
  {
    id: 'arm64',
    field: 'domain',
    summary:
      'arm64 has no BIOS, no CPU model but host-passthrough, no disk bus but virtio and scsi, and no sound.',
    check: (spec, { path }) => (spec.architecture === 'arm64' ? checkArm64(spec, `${path}.domain`) : []),
  },
];

function checkArm64({ domain }: VMISpec, field: string): Cause[] {
  return [
    ...when(domain.firmware?.bootloader?.bios, () =>
      notSupported(
        `${field}.firmware.bootloader.bios`,
        'Arm64 does not support bios boot, please change to uefi boot',
      ),
    ),
    ...when(domain.cpu?.model && domain.cpu.model !== 'host-passthrough', () =>
      notSupported(`${field}.cpu.model`, 'currently, host-passthrough is the only model supported on Arm64'),
    ),
    ...(domain.devices.disks ?? []).flatMap((disk, index) =>
      (['disk', 'cdrom', 'lun'] as const).flatMap((target) => {
        const bus = disk[target]?.bus;
        return when(bus && bus !== 'virtio' && bus !== 'scsi', () =>
          notSupported(
            `${field}.devices.disks[${index}].${target}.bus`,
            'Arm64 not support this disk bus type, please use virtio or scsi',
          ),
        );
      }),
    ),
    ...when(domain.devices.sound, () =>
      notSupported(`${field}.devices.sound`, 'Arm64 not support sound device'),
    ),
  ];
}
