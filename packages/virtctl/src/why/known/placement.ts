/** Why no node takes the Pod, or the node has no room for it. */
import type { KnownFailure } from './known-failure.ts';

export const placement: readonly KnownFailure[] = [
  {
    id: 'no-kvm',
    title: 'No KVM',
    deadEnd: 'at once',
    handoff: 5,
    where: ['pod', 'vmi', 'vm', 'event', 'log'],
    pattern:
      /Insufficient devices\.kubevirt\.io\/kvm|Could not access KVM kernel module|failed to initialize kvm|hardware virtualisation is not usable/,
    cause:
      'No node that fits offers hardware virtualisation: /dev/kvm is missing or the CPU lacks vmx or svm.',
    fix: 'Run on a machine with virtualisation switched on (in a VM: nested virtualisation), or allow software emulation: spec.configuration.developerConfiguration.useEmulation: true in the KubeVirt object. `podvisor doctor` says what this machine has.',
  },
  {
    id: 'device-plugin-gone',
    title: 'Device plugin gone',
    deadEnd: 'lasting',
    handoff: 5,
    where: ['pod', 'vmi', 'vm', 'event'],
    pattern: /Insufficient (devices\.kubevirt\.io\/[\w-]+)|UnexpectedAdmissionError|Allocate failed due to/,
    cause:
      'No node offers a device that every launcher needs. virt-handler offers it, so virt-handler does not run there or has lost its kubelet.',
    fix: 'See that virt-handler runs on the node (`podvisor status`, or `kubectl -n kubevirt get pods -l kubevirt.io=virt-handler -o wide`) and what the node offers: `kubectl get node -o jsonpath="{.items[*].status.allocatable}"`.',
  },
  {
    id: 'not-enough-memory',
    title: 'Not enough memory',
    deadEnd: 'at once',
    handoff: 5,
    where: ['pod', 'vmi', 'vm', 'event', 'log', 'container'],
    pattern:
      /Insufficient memory|OutOfmemory|Cannot allocate memory|cannot set up guest memory|could not give the virtual machine its memory/i,
    cause: 'No node has the memory that the guest and its launcher ask for.',
    fix: 'Give the guest less (spec.template.spec.domain.memory.guest), stop other VMs (`virtctl top`), or add a node.',
  },
  {
    id: 'oom-killed',
    title: 'Killed for want of memory',
    where: ['container', 'event', 'pod'],
    pattern: /OOMKilled|out of memory|Evicted: .*memory/i,
    cause: 'The launcher Pod used more memory than its limit, and the kernel ended QEMU.',
    fix: 'Remove or raise the memory limit of the VM (resources.limits.memory), or raise spec.configuration.additionalGuestMemoryOverheadRatio in the KubeVirt object.',
  },
  {
    id: 'not-enough-cpu',
    title: 'Not enough CPU',
    deadEnd: 'at once',
    handoff: 5,
    where: ['pod', 'vmi', 'vm', 'event'],
    pattern: /Insufficient cpu/,
    cause: 'No node has the CPU time that the Pod asks for.',
    fix: 'Give the guest fewer CPUs, lower resources.requests.cpu, stop other VMs, or add a node.',
  },
  {
    id: 'no-node-fits',
    title: 'No node fits',
    deadEnd: 'at once',
    handoff: 5,
    where: ['pod', 'vmi', 'event'],
    pattern: /didn't match Pod's node affinity\/selector|had untolerated taint|node\(s\) were unschedulable/,
    cause:
      'The VM asks for a node that is not there: by nodeSelector, affinity, CPU model or architecture, or all nodes are cordoned or tainted.',
    fix: 'Compare `kubectl get nodes --show-labels` with the nodeSelector of the Pod: `kubectl -n {namespace} get pod {pod} -o jsonpath="{.spec.nodeSelector}"`. kubevirt.io/schedulable=true is set by a virt-handler that is well.',
  },
];
