/** All rules of a VMI, in the order in which their causes are reported. */
import type { VMISpec } from '../../types/index.ts';
import type { Rule } from '../rule.ts';
import { accessCredentialRules } from './access-credentials.ts';
import { architectureRules } from './architecture.ts';
import { bindingRules } from './bindings.ts';
import { blockSizeRule } from './block-size.ts';
import { cloudInitRules } from './cloud-init.ts';
import { cpuRules } from './cpu.ts';
import { dedicatedCpuRules } from './dedicated-cpu.ts';
import { deviceRules, inputRules } from './devices.ts';
import { diskVolumeRules, volumeMappedRule } from './disk-volumes.ts';
import { diskRules } from './disks.ts';
import { dnsRules } from './dns.ts';
import { draRules } from './dra.ts';
import { containerPathRule, filesystemRules } from './filesystems.ts';
import { acpiRules, firmwareRules, serialRule } from './firmware.ts';
import { hypervRules } from './hyperv.ts';
import { identityRules } from './identity.ts';
import { interfaceRules } from './interfaces.ts';
import { launchSecurityRules } from './launch-security.ts';
import { lifecycleRules, startStrategyRule } from './lifecycle.ts';
import { machineRules } from './machine.ts';
import { memoryRequiredRule, memoryRules } from './memory.ts';
import { networkDraRules } from './network-dra.ts';
import { networkRules } from './networks.ts';
import { portRules } from './ports.ts';
import { probeRules } from './probes.ts';
import { schedulingRules } from './scheduling.ts';
import { utilityVolumeRules, utilityVolumesAtCreateRule } from './utility-volumes.ts';
import { volumeRules } from './volumes.ts';

/** Hold wherever a VMI spec stands: in a VMI, and in the templates of VMs, replica sets and pools. */
export const vmiSpecRules: readonly Rule<VMISpec>[] = [
  ...networkRules,
  ...interfaceRules,
  ...bindingRules,
  ...portRules,
  ...networkDraRules,
  ...draRules,
  ...identityRules,
  ...memoryRules,
  ...machineRules,
  serialRule,
  ...acpiRules,
  ...cpuRules,
  ...dedicatedCpuRules,
  startStrategyRule,
  ...schedulingRules,
  ...diskVolumeRules,
  ...inputRules,
  ...probeRules,
  ...diskRules,
  blockSizeRule,
  ...firmwareRules,
  ...volumeRules,
  ...cloudInitRules,
  ...accessCredentialRules,
  ...dnsRules,
  ...lifecycleRules,
  ...deviceRules,
  ...launchSecurityRules,
  ...filesystemRules,
  ...utilityVolumeRules,
];

/** Hold for a VMI itself, when all defaults are filled in. */
export const vmiOnlyRules: readonly Rule<VMISpec>[] = [
  containerPathRule,
  volumeMappedRule,
  memoryRequiredRule,
  utilityVolumesAtCreateRule,
  ...hypervRules,
  ...architectureRules,
];
