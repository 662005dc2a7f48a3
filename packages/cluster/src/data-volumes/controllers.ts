/** The controllers of DataVolumes and storage profiles, as rows of the control plane's table. */
import type { TableController } from '@podvisor/kube';
import type { SharedCaches } from '@podvisor/workload-controllers';
import { dataVolumeController } from './controller.ts';
import { profileControllers } from './profile-controller.ts';

export function dataVolumeControllers(shared: SharedCaches): readonly TableController[] {
  return [dataVolumeController(shared), ...profileControllers(shared)];
}
