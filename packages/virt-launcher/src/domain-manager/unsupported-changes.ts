/** What a VMI asks of a running domain that cannot be done yet. Pure. Better a clear error than silence. */
import type { VirtualMachineInstance } from '@podvisor/api';

/** Disks of the spec, with a volume behind them, that the running domain does not have. */
export function missingDisks(
  vmi: VirtualMachineInstance,
  diskTargets: Readonly<Record<string, string>>,
): readonly string[] {
  const volumes = new Set((vmi.spec.volumes ?? []).map((volume) => volume.name));
  return (vmi.spec.domain.devices.disks ?? [])
    .map((disk) => disk.name)
    .filter((name) => volumes.has(name) && !(name in diskTargets));
}
