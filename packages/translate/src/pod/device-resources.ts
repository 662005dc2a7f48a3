/** Devices of the node that the Pod asks for, as extended resources. */
import type { VMISpec } from '@podvisor/api';
import type { LauncherPodOptions } from './options.ts';

const PREFIX = 'devices.kubevirt.io/';

/** Extended resources: most as a limit alone (the request follows), passed-through ones as both. */
export function deviceResources(
  spec: VMISpec,
  options: LauncherPodOptions,
): { readonly limits: Record<string, string>; readonly requests: Record<string, string> } {
  const emulated = options.config.useEmulation;
  const { devices, launchSecurity } = spec.domain;
  const limits: Record<string, string> = {};
  if ((devices.interfaces ?? []).length > 0 || devices.autoattachPodInterface !== false) {
    limits[`${PREFIX}tun`] = '1';
  }
  if (!emulated) limits[`${PREFIX}kvm`] = '1';
  if (!emulated && (devices.interfaces ?? []).some(({ model }) => !model || model === 'virtio')) {
    limits[`${PREFIX}vhost-net`] = '1';
  }
  if (devices.autoattachVSOCK) limits[`${PREFIX}vhost-vsock`] = '1';
  const both: Record<string, string> = {};
  if (launchSecurity?.sev !== undefined || launchSecurity?.snp !== undefined) both[`${PREFIX}sev`] = '1';
  if (launchSecurity?.tdx !== undefined) both[`${PREFIX}tdx`] = '1';
  if (devices.disks?.some((disk) => disk.lun?.reservation)) both[`${PREFIX}pr-helper`] = '1';
  if (options.config.gates.has('IOMMUFD')) both[`${PREFIX}iommufd`] = '1';
  for (const name of passedThrough(spec, options)) both[name] = String(Number(both[name] ?? '0') + 1);
  return { limits: { ...limits, ...both }, requests: both };
}

function passedThrough(spec: VMISpec, { networkResources = {} }: LauncherPodOptions): readonly string[] {
  const { gpus = [], hostDevices = [] } = spec.domain.devices;
  const devices = [...gpus, ...hostDevices].flatMap(({ deviceName, claimName, requestName }) =>
    deviceName && !claimName && !requestName ? [deviceName] : [],
  );
  return [...devices, ...Object.values(networkResources)];
}
