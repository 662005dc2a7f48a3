/**
 * The status that a VMI is born with, so that no client ever meets an empty one. What a client wrote there is
 * dropped: the CRD has no status subresource, so nobody but this webhook stands between a tenant and fields that
 * virt-controller and virt-handler take for their own word. Only virt-controller may bring a status along: it says
 * which revision of the VM a VMI was made from.
 */
import { isGateEnabled } from '../../config/cluster-config.ts';
import type { Draft } from '../../draft.ts';
import { nonRootUser, vmiPhases } from '../../names.ts';
import type { VirtualMachineInstance, VMIStatus } from '../../types/index.ts';
import type { VmiDefaultsContext } from '../context.ts';

export function seedStatus(vmi: Draft<VirtualMachineInstance>, context: VmiDefaultsContext): void {
  const status: Draft<VMIStatus> = context.isController === true ? { ...vmi.status } : {};
  const { cpu, memory } = vmi.spec.domain;
  if (memory?.guest !== undefined) {
    status.memory = { guestAtBoot: memory.guest, guestCurrent: memory.guest, guestRequested: memory.guest };
  }
  if (cpu) {
    status.currentCPUTopology ??= {
      ...(cpu.cores && { cores: cpu.cores }),
      ...(cpu.sockets && { sockets: cpu.sockets }),
      ...(cpu.threads && { threads: cpu.threads }),
    };
  }
  status.guestOSInfo ??= {};
  status.runtimeUser = isGateEnabled(context.config, 'Root') ? 0 : nonRootUser;
  status.phase = vmiPhases.pending;
  const stamps = status.phaseTransitionTimestamps ?? [];
  const isStamped = stamps.some(({ phase }) => phase === vmiPhases.pending);
  status.phaseTransitionTimestamps = isStamped
    ? stamps
    : [...stamps, { phase: vmiPhases.pending, phaseTransitionTimestamp: context.now }];
  vmi.status = status;
}
