/** Devices of the node that the Pod asks for, as extended resources. */
import type { VMISpec } from '@podvisor/api';
import { LauncherPodError, type LauncherPodOptions } from '../options.ts';

const PREFIX = 'devices.kubevirt.io/';

/** Extended resources of a VMI. */
export interface DeviceResources {
  /** What virtualisation needs, as a limit alone: the request follows. */
  readonly limits: Readonly<Record<string, string>>;
  /** What is passed through, as both. */
  readonly passedThrough: Readonly<Record<string, string>>;
}

/** Throws LauncherPodError for devices that the cluster does not permit. */
export function deviceResources(spec: VMISpec, options: LauncherPodOptions): DeviceResources {
  checkPermitted(spec, options);
  const emulated = options.config.useEmulation;
  const { devices, launchSecurity } = spec.domain;
  const limits: Record<string, string> = {};
  if ((devices.interfaces ?? []).length > 0 || devices.autoattachPodInterface !== false) {
    limits[`${PREFIX}tun`] = '1';
  }
  if (!emulated) limits[`${PREFIX}${hypervisorDevice(options)}`] = '1';
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
  return { limits, passedThrough: both };
}

/** The device of the nodes' hypervisor: KVM, unless the cluster names another one. */
function hypervisorDevice({ config }: LauncherPodOptions): string {
  const named = config.gates.has('ConfigurableHypervisor')
    ? config.configuration.hypervisors?.[0]
    : undefined;
  return named?.name === 'hyperv-direct' ? 'mshv' : 'kvm';
}

function passedThrough(spec: VMISpec, { networkResources = {} }: LauncherPodOptions): readonly string[] {
  const { gpus = [], hostDevices = [] } = spec.domain.devices;
  const devices = [...gpus, ...hostDevices].flatMap(({ deviceName, claimName, requestName }) =>
    deviceName && !claimName && !requestName ? [deviceName] : [],
  );
  return [...devices, ...Object.values(networkResources)];
}

/** Where the cluster lists devices, only those may be used; what comes through a claim is not for it to say. */
function checkPermitted({ domain }: VMISpec, { config }: LauncherPodOptions): void {
  const permitted = config.configuration.permittedHostDevices;
  if (permitted === undefined) return;
  const { pciHostDevices = [], mediatedDevices = [], usb = [] } = permitted;
  const names = new Set(
    [...pciHostDevices, ...mediatedDevices, ...usb].map(({ resourceName }) => resourceName),
  );
  const refused = (
    kind: string,
    devices: readonly { readonly deviceName?: string; readonly claimName?: string }[],
    claims: boolean,
  ): readonly string[] =>
    devices
      .filter(({ deviceName = '', claimName }) => !(claims && claimName) && !names.has(deviceName))
      .map(
        ({ deviceName = '' }) =>
          `${kind} ${deviceName} is not permitted in permittedHostDevices configuration`,
      );
  const problems = [
    ...refused('GPU', domain.devices.gpus ?? [], config.gates.has('GPUsWithDRA')),
    ...refused('HostDevice', domain.devices.hostDevices ?? [], config.gates.has('HostDevicesWithDRA')),
  ];
  if (problems.length > 0) throw new LauncherPodError('invalid', problems.join(' '));
}
