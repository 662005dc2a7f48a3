/** The controllers of DataVolumes, DataSources and StorageProfiles, as rows of a table. */
import type { TableController } from '@podvisor/kube';
import { dataVolumeController } from './controller.ts';
import type { DataVolumesContext } from './context.ts';
import { profileControllers } from './profile-controller.ts';

export function dataVolumeControllers(context: DataVolumesContext): readonly TableController[] {
  return [dataVolumeController(context), ...profileControllers(context)];
}
