/** The controllers of DataVolumes and storage profiles, as rows of the control plane's table. */
import type { TableController } from '@podvisor/kube';
import type { SharedCaches } from '../controllers/start.ts';
import { dataVolumeController } from './controller.ts';
import { profileControllers } from './profile-controller.ts';

export function dataVolumeControllers(shared: SharedCaches): readonly TableController[] {
  return [dataVolumeController(shared), ...profileControllers(shared)];
}
