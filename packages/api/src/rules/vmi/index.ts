/** All rules of a VMI, in the order in which their causes are reported. */
import type { VMISpec } from '../../types/index.ts';
import type { Rule, Rules } from '../rule.ts';
import { accessCredentialRules } from './access-credentials.ts';
import { architectureRules } from './cpu/architecture.ts';
import { bindingRules } from './networks/bindings.ts';
import { cloudInitRules } from './storage/cloud-init.ts';
import { cpuFeatureRules, cpuRules } from './cpu/cpu.ts';
import { dedicatedCpuRules, realtimeRules } from './cpu/dedicated-cpu.ts';
import {
  downwardMetricsRules,
  inputRules,
  passthroughRules,
  soundRules,
  videoRules,
  vsockRules,
} from './devices.ts';
import { diskVolumeRules, reservationRule, volumeMappedRule } from './storage/disk-volumes.ts';
import { allDiskRules } from './storage/all-disks.ts';
import { dnsRules } from './networks/dns.ts';
import { draRules } from './dra.ts';
import { containerPathRule, filesystemRules } from './storage/filesystems.ts';
import { acpiRules, firmwareRules, secureBootRules } from './firmware.ts';
import { graceIoRule } from './grace-io.ts';
import { hypervRules } from './hyperv.ts';
import { identityRules, serviceAccountRules } from './identity.ts';
import {
  dhcpOptionRules,
  interfacePairRules,
  interfaceRules,
  interfaceStateRules,
} from './networks/interfaces.ts';
import { launchSecurityRules } from './launch-security.ts';
import { evictionRules, rebootPolicyRules, startStrategyRule } from './lifecycle.ts';
import { machineRules } from './machine.ts';
import { memoryRequiredRule, memoryRules, reservedOverheadRules } from './cpu/memory.ts';
import { networkDraRules } from './networks/network-dra.ts';
import { networkNameRules, networkRules, networkUseRules } from './networks/networks.ts';
import { portRules } from './networks/ports.ts';
import { probeRules } from './probes.ts';
import { schedulingRules } from './scheduling.ts';
import { utilityVolumesAtCreateRule } from './storage/utility-volumes.ts';
import {
  containerDiskPathRule,
  singleVolumesRule,
  volumeRules,
  volumeSourceRules,
} from './storage/volumes.ts';

const allNetworkRules: Rules<VMISpec> = [
  ...networkRules,
  ...interfaceStateRules,
  { itemByItem: bindingRules },
  ...networkNameRules,
  ...networkDraRules,
  ...networkUseRules,
  ...interfacePairRules,
  { itemByItem: [...interfaceRules, ...portRules] },
  ...dhcpOptionRules,
];

/**
 * Told first when a VMI is created, and counted again in their place among the others: that is how clients know which
 * causes an answer has room for.
 */
export const vmiFirstRules: Rules<VMISpec> = [
  ...allNetworkRules,
  containerDiskPathRule,
  utilityVolumesAtCreateRule,
  allDiskRules,
];

/** Hold wherever a VMI spec stands: in a VMI, and in the templates of VMs, replica sets and pools. */
export const vmiSpecRules: Rules<VMISpec> = [
  ...identityRules,
  ...memoryRules,
  ...machineRules,
  ...acpiRules,
  ...cpuRules,
  ...dedicatedCpuRules,
  ...cpuFeatureRules,
  startStrategyRule,
  ...realtimeRules,
  ...schedulingRules,
  ...allNetworkRules,
  ...draRules,
  ...diskVolumeRules,
  ...inputRules,
  ...probeRules,
  allDiskRules,
  ...firmwareRules,
  ...secureBootRules,
  { itemByItem: [...volumeRules, ...cloudInitRules, ...volumeSourceRules] },
  singleVolumesRule,
  containerDiskPathRule,
  utilityVolumesAtCreateRule,
  ...accessCredentialRules,
  ...dnsRules,
  ...evictionRules,
  ...passthroughRules,
  graceIoRule,
  ...soundRules,
  ...launchSecurityRules,
  ...vsockRules,
  reservationRule,
  ...downwardMetricsRules,
  ...filesystemRules,
  ...videoRules,
  ...rebootPolicyRules,
  ...reservedOverheadRules,
  ...serviceAccountRules,
];

/** Hold for a VMI itself, when all defaults are filled in; they are reported before its metadata. */
export const vmiVolumeRules: readonly Rule<VMISpec>[] = [
  volumeMappedRule,
  containerPathRule,
  memoryRequiredRule,
];

/** Hold for a VMI itself; they are reported after its metadata. */
export const vmiMachineRules: readonly Rule<VMISpec>[] = [...hypervRules, ...architectureRules];
