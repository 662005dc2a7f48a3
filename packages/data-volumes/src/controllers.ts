/** The controllers of DataVolumes, DataSources and StorageProfiles, as rows of a table. */
import type { TableController } from '@podvisor/kube';
import { dataVolumeController } from './controller.ts';
import type { DataVolumesContext } from './context.ts';
import { profileControllers } from './profile-controller.ts';
import { dataSourceIndexes, dataVolumeIndexes } from './waiting.ts';

/** Adds indexes to the caches of DataVolumes and DataSources: they are empty yet. */
export function dataVolumeControllers(context: DataVolumesContext): readonly TableController[] {
  context.dataVolumes.addIndexers(dataVolumeIndexes);
  context.dataSources.addIndexers(dataSourceIndexes);
  return [dataVolumeController(context), ...profileControllers(context)];
}
