/** Network, libvirt and QEMU while the guest is started. */
import type { KnownFailure } from './known-failure.ts';

export const startOnTheNode: readonly KnownFailure[] = [
  {
    id: 'network-phase-1-failed',
    title: 'Network phase 1 failed',
    deadEnd: 'lasting',
    handoff: 8,
    where: ['vmi', 'event'],
    pattern:
      /failed to configure vmi network|the Pod has no NIC|exists in the Pod and is not a (?:bridge|TAP device)|the Pod's NIC \S+ was changed already|shares the network of its node|network device of the virtual machine could not be opened|Critical network error/i,
    cause: "virt-handler could not build the guest's network (bridge, TAP, rules) in the Pod.",
    fix: 'Look at the CNI result of the Pod (`kubectl -n {namespace} describe pod {pod}`) and the log of virt-handler on {node}. A NetworkAttachmentDefinition that the VM names must exist. `virtctl restart {name}` tries again in a fresh Pod.',
  },
  {
    id: 'pod-network-failed',
    title: 'Pod network failed',
    deadEnd: 'lasting',
    handoff: 5,
    where: ['event', 'pod'],
    pattern: /FailedCreatePodSandBox|NetworkPlugin|failed to set up sandbox/i,
    cause: 'The kubelet could not make the sandbox of the Pod; mostly the CNI plugin failed.',
    fix: 'The message names the plugin and the step. On one machine `podvisor doctor` checks the plugins.',
  },
  {
    id: 'libvirt-refuses-xml',
    title: 'libvirt refuses the XML',
    deadEnd: 'at once',
    handoff: 10,
    where: ['vmi', 'event', 'log'],
    pattern:
      /did not accept the definition of the virtual machine|XML error|unsupported configuration|virError\(Code=(?:27|67|8)\b/,
    cause:
      'libvirt does not take the domain that the VM became: an option that this libvirt or QEMU does not have, or two that exclude each other.',
    fix: '`virtctl render vm/{name} -o xml` shows the domain; the message names the element. Take the option out of the VM, or a hook that added it.',
  },
  {
    id: 'qemu-dies-at-start',
    title: 'QEMU dies at start',
    deadEnd: 'at once',
    handoff: 10,
    where: ['vmi', 'event', 'log', 'container'],
    pattern:
      /QEMU could not be started|process exited while connecting to monitor|qemu unexpectedly closed the monitor|internal error: process exited/i,
    cause: 'QEMU ended before the guest ran; what it wrote stands in the message.',
    fix: '`virtctl render vm/{name} --qemu` shows its command line. Often a device, firmware or CPU model that this QEMU does not have.',
  },
];
