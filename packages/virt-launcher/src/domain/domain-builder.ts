/** From a VMI to files that exist and the domain that names them, with `storage` and `translate`. */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isHotpluggable, type VirtualMachineInstance } from '@podvisor/api';
import { type PreparedVolume, prepareCloudInit, prepareDisks } from '@podvisor/storage';
import {
  type ConverterContext,
  type DomainHostDevice,
  hostDevicesFromEnvironment,
  launcherDomain,
} from '@podvisor/translate';
import { overlaysOf, prepareOverlays } from '../backup/tracked-disks.ts';
import { deviceMetadata } from './device-tags.ts';
import type { BuildOptions, DomainBuilder } from '../domain-manager/context.ts';
import { waitForShares, writeIgnition } from './files-of-domain.ts';
import { findFirmware } from './firmware.ts';
import type { LauncherFlags } from '../flags.ts';
import { explain } from '../launcher-error.ts';
import { launcherContext } from './launcher-context.ts';
import { networkDevices } from '../network/network-devices.ts';
import { libvirtPaths } from '../start-up/libvirt-paths.ts';
import { prepareSwtpm, tpmPlaces } from '../start-up/swtpm.ts';
import { keepArrivedTpm, placeTpmState } from '../start-up/tpm-state.ts';

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64' };
/** Kubernetes' name of this processor architecture. */
const HOST_ARCHITECTURE = ARCHITECTURES[process.arch] ?? process.arch;

export function domainBuilder(flags: LauncherFlags): DomainBuilder {
  const { paths } = flags;
  const libvirt = libvirtPaths(paths.libvirtRuntime);
  const tpm = tpmPlaces(libvirt, paths.privateDir);
  const contextOf = (
    vmi: VirtualMachineInstance,
    options: BuildOptions,
    prepared: Readonly<Record<string, PreparedVolume>>,
    sriovDevices: readonly DomainHostDevice[],
  ): ConverterContext =>
    launcherContext(flags, options, {
      sriovDevices,
      ...hostDevicesFromEnvironment(vmi.spec, process.env),
      volumes: volumesOf(vmi, prepared, overlaysOf(vmi, paths)),
      efi: findFirmware(vmi, flags.ovmfPath),
      hostArchitecture: HOST_ARCHITECTURE,
      hasEmulatorScript: existsSync(paths.emulator),
    });
  return {
    hotplugDirectory: paths.hotplugDisks,
    build: async (vmi, options, editCloudInit, signal) => {
      const { firmware, devices } = vmi.spec.domain;
      const [prepared] = await Promise.all([
        prepareDisks(vmi, { volumes: options.volumes, paths, editCloudInit }, signal),
        firmware?.bootloader?.efi === undefined ? undefined : mkdir(paths.nvram, { recursive: true }),
        // QEMU makes the socket, and no directory for it.
        devices.downwardMetrics === undefined
          ? undefined
          : mkdir(dirname(paths.downwardMetricsSocket), { recursive: true }),
        ...(devices.tpm === undefined
          ? []
          : [prepareSwtpm(libvirt, paths.privateDir), placeTpmState(tpm, uuidOf(vmi), options.incoming)]),
        writeIgnition(vmi, paths),
        waitForShares(vmi, paths, signal),
      ]).catch((error: unknown) => {
        throw explain('the disks of the virtual machine could not be prepared', error);
      });
      await prepareOverlays(vmi, paths, prepared, { incoming: options.incoming !== undefined }, signal);
      const devicesOfNetworks = await networkDevices(vmi, paths.podInfo, signal);
      const ready = withoutAbsent(vmi, prepared);
      return launcherDomain(ready, contextOf(ready, options, prepared, devicesOfNetworks));
    },
    arrived: async (vmi, migrationUid) => {
      if (vmi.spec.domain.devices.tpm !== undefined) await keepArrivedTpm(tpm, uuidOf(vmi), migrationUid);
    },
    tagDevices: async (vmi, defined, editCloudInit, signal) => {
      const devices = deviceMetadata(vmi, defined);
      const { namespace = 'default', name = '' } = vmi.metadata ?? {};
      await rm(paths.configDriveIso(namespace, name), { force: true });
      await prepareCloudInit(vmi, paths, signal, (kind, data, volume) =>
        editCloudInit(kind, { ...data, devices }, volume),
      ).catch((error: unknown) => {
        throw explain('the tags of the devices could not be written to the ConfigDrive', error);
      });
    },
    rebuild: async (vmi, options, diskTargets, signal) => {
      const except = new Set(
        (vmi.spec.volumes ?? [])
          .filter((volume) => volume.name in diskTargets && !isHotpluggable(volume))
          .map(({ name }) => name),
      );
      const prepared = await prepareDisks(vmi, { volumes: options.volumes, paths, except }, signal);
      await prepareOverlays(vmi, paths, prepared, { incoming: false, except: diskTargets }, signal);
      const devicesOfNetworks = await networkDevices(vmi, paths.podInfo, signal);
      const ready = withKnownTargets(withoutAbsent(vmi, prepared), diskTargets);
      return launcherDomain(ready, contextOf(ready, options, prepared, devicesOfNetworks));
    },
  };
}

/** As libvirt writes it. */
function uuidOf({ spec }: VirtualMachineInstance): string {
  const digits = (spec.domain.firmware?.uuid ?? '').toLowerCase().replaceAll('-', '');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function volumesOf(
  { spec }: VirtualMachineInstance,
  prepared: Readonly<Record<string, PreparedVolume>>,
  overlays: ReadonlyMap<string, string>,
): ConverterContext['volumes'] {
  return Object.fromEntries(
    (spec.volumes ?? []).map((volume) => {
      const changedBlockTrackingFile = overlays.get(volume.name);
      const facts = { ...prepared[volume.name], hotplugged: isHotpluggable(volume) };
      return [
        volume.name,
        changedBlockTrackingFile === undefined ? facts : { ...facts, changedBlockTrackingFile },
      ];
    }),
  );
}

/** Without the claims that are not plugged into the Pod yet: their drives are empty, their disks not there. */
function withoutAbsent(
  vmi: VirtualMachineInstance,
  prepared: Readonly<Record<string, PreparedVolume>>,
): VirtualMachineInstance {
  const absent = new Set(
    (vmi.spec.volumes ?? [])
      .filter((volume) => isHotpluggable(volume) && !(volume.name in prepared))
      .map(({ name }) => name),
  );
  if (absent.size === 0) return vmi;
  const { devices } = vmi.spec.domain;
  const disks = devices.disks?.filter((disk) => disk.cdrom !== undefined || !absent.has(disk.name));
  const volumes = vmi.spec.volumes?.filter(({ name }) => !absent.has(name));
  const domain = { ...vmi.spec.domain, devices: { ...devices, disks } };
  return { ...vmi, spec: { ...vmi.spec, domain, volumes } };
}

/** Disks keep the names that they have, whatever the VMI's status says about them. */
function withKnownTargets(
  vmi: VirtualMachineInstance,
  diskTargets: Readonly<Record<string, string>>,
): VirtualMachineInstance {
  const volumeStatus = Object.entries(diskTargets).map(([name, target]) => ({ name, target }));
  return { ...vmi, status: { ...vmi.status, volumeStatus } };
}
