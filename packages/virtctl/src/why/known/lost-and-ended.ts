/** A node or its storage that is lost, and guests that ended by themselves. */
import type { KnownFailure } from './known-failure.ts';

export const lostAndEnded: readonly KnownFailure[] = [
  {
    id: 'node-lost-no-lease',
    title: 'Lost with its node, and nobody can tell whether it still runs',
    where: ['vmi'],
    pattern: /NodeLost\/(?:DiskIsLocal|NoSharedDisk|NoPlaceForLease|LeaseNotKept|LeaseForeign)/,
    cause:
      'The node is not heard of, and the guest keeps no lease on storage that other nodes can read. Whether it still runs cannot be known, so it is not started elsewhere: two of it would destroy its disk.',
    fix: 'Bring node {node} back. If its machine is off for sure, say so: `virtctl fence {node} --confirmed-off`, or taint it `node.kubernetes.io/out-of-service`; the VM then starts on another node.',
  },
  {
    id: 'node-lost-lease-renewed',
    title: 'Its node is not heard of, but the guest runs',
    where: ['vmi'],
    pattern: /NodeLost\/LeaseNotOver/,
    cause:
      'Only the network of the node is cut: the guest still renews its lease on the storage, or holds its disk locked. It goes on where it is and is not started elsewhere.',
    fix: 'Mend the network of node {node}. To have the VM elsewhere, turn the machine off: its lease then ends by itself.',
  },
  {
    id: 'node-lost-watching',
    title: 'Lost with its node; its lease is being watched',
    where: ['vmi'],
    pattern: /NodeLost\/(?:WatchingLease|Migrating)/,
    cause:
      'The node is not heard of. The guest starts elsewhere when its lease on the storage has provably ended.',
    fix: 'Wait: with the default times it runs elsewhere within a minute of the loss. `kubectl -n {namespace} get pods -l kubevirt.io=lease-watch` shows who watches.',
  },
  {
    id: 'storage-lost',
    title: 'The storage of the guest does not answer',
    where: ['vmi'],
    pattern: /FencedByLease\/StorageLost/,
    cause:
      'The lease of the guest on its storage cannot be renewed, while its node is well: the guest waits for its disks, or is paused by their errors. It is not started elsewhere.',
    fix: 'Mend the way from node {node} to the storage; the guest goes on by itself.',
  },
  {
    id: 'node-gone',
    title: 'Node gone',
    where: ['node', 'pod', 'event'],
    pattern:
      /NodeNotFound|Ready=(?:Unknown|False)|NodeLost|NodeStatusUnknown|Kubelet stopped posting node status|TaintManagerEviction/,
    cause:
      'The node of the VM does not report. Whether the guest still runs there cannot be known, so it is not started elsewhere: two of it would destroy its disk.',
    fix: 'Bring node {node} back. If it is switched off for good, delete the Node object; the VM then starts on another node.',
  },
  {
    id: 'qemu-ended',
    title: 'QEMU ended',
    where: ['event'],
    pattern: /VirtualMachineInstance crashed/,
    cause: 'QEMU or its launcher ended while the guest ran, and neither was asked to.',
    fix: 'The log of the launcher has its last words: `kubectl -n {namespace} logs {pod} -c compute`. On the node, `dmesg` tells of processes that the kernel ended.',
  },
  {
    id: 'crash-loop',
    title: 'Started again and again',
    where: ['vm'],
    pattern: /CrashLoopBackOff/,
    cause: 'The guest ended with an error several times; the next start waits longer each time.',
    fix: 'The reason stands with the run before: `kubectl -n {namespace} get events --field-selector involvedObject.name={name}`.',
  },
];
