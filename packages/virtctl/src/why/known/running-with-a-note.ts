/** The guest runs, and something is still to be said. */
import type { KnownFailure } from './known-failure.ts';

export const runningWithANote: readonly KnownFailure[] = [
  {
    id: 'volumes-move',
    title: 'Disks move to other claims',
    where: ['vmi'],
    pattern: /^VolumesChange: migrate volumes/,
    cause:
      'The VM names other claims (updateVolumesStrategy: Migration), and its disks have not arrived there. The guest runs on the old ones.',
    fix: '`virtctl migrate {name} --follow` shows the copy. If none begins: `kubectl -n {namespace} get vmim` and its events say why; the guest needs a second node that fits, and LiveMigrate in workloadUpdateMethods of the KubeVirt object. To call it off, put the old claims back in the VM.',
  },
  {
    id: 'resources-wait',
    title: 'CPUs or memory are on their way',
    where: ['vmi'],
    pattern: /^(HotVCPUChange|HotMemoryChange)/,
    cause:
      'The VM asks for more CPUs or memory than its guest has. The guest takes them over on its next node, and that migration has not ended well yet.',
    fix: '`kubectl -n {namespace} get vmim` and its events say how the migration stands; it needs another node that fits (`podvisor up --nodes 2`) and LiveMigrate in workloadUpdateMethods of the KubeVirt object. `virtctl restart {name}` brings them as well.',
  },
  {
    id: 'paused-by-user',
    title: 'Paused by a user',
    where: ['vmi'],
    pattern: /PausedByUser/,
    cause: 'Somebody paused the guest.',
    fix: '`virtctl unpause vmi {name}`.',
  },
  {
    id: 'restart-required',
    title: 'Restart required',
    where: ['vm'],
    pattern: /RestartRequired/,
    cause: 'The VM was changed in a way that a running guest cannot follow.',
    fix: '`virtctl render vm/{name} --diff` shows what would change; `virtctl restart {name}` makes it so.',
  },
  {
    id: 'guest-agent-missing',
    title: 'Guest agent missing',
    where: ['vmi'],
    pattern: /AgentNotConnected/,
    cause:
      'No QEMU guest agent answers in the guest. The guest runs; its addresses, users and file systems, frozen snapshots and keys need the agent.',
    fix: 'Install and start qemu-guest-agent in the guest (`apt-get install qemu-guest-agent`), e.g. by cloud-init.',
  },
];
