/** Rules of VirtualMachineInstancePresets: the parts of a domain that they carry. */
import type { ClusterConfig } from '../../config/cluster-config.ts';
import type { VirtualMachineInstancePreset } from '../../types/index.ts';
import { type Admission, admissionOf } from '../admission.ts';
import { required, runRules } from '../rule.ts';
import { allDiskRules } from '../vmi/storage/all-disks.ts';
import { firmwareRules } from '../vmi/firmware.ts';

export function validatePreset(preset: VirtualMachineInstancePreset, config: ClusterConfig): Admission {
  const domain = preset.spec?.domain;
  if (!domain) return admissionOf([required('spec.domain', 'missing domain.')]);
  const rules = [allDiskRules, ...firmwareRules];
  return admissionOf(runRules(rules, { domain }, { config, path: 'spec' }));
}
