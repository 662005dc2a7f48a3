/** Input devices, watchdogs and virtual GPUs. */
import type { Draft } from '../../draft.ts';
import type { VMISpec } from '../../types/index.ts';

export function defaultInputs(spec: Draft<VMISpec>): void {
  for (const input of spec.domain.devices.inputs ?? []) {
    input.bus ||= 'usb';
    input.type ||= 'tablet';
  }
}

/** Each architecture has one watchdog; arm64 has none, and its rules say so. */
export function defaultWatchdog(spec: Draft<VMISpec>): void {
  const { watchdog } = spec.domain.devices;
  if (!watchdog || spec.architecture === 'arm64') return;
  const device = spec.architecture === 's390x' ? 'diag288' : 'i6300esb';
  watchdog[device] ??= {};
  watchdog[device].action ||= 'reset';
}

export function defaultGpuDisplays(spec: Draft<VMISpec>): void {
  for (const gpu of spec.domain.devices.gpus ?? []) {
    const ramFB = gpu.virtualGPUOptions?.display?.ramFB;
    if (ramFB) ramFB.enabled ??= true;
  }
}
