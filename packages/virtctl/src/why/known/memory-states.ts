/** What stops a guest that ran or slept: its own panic, its storage, states of its memory. */
import type { KnownFailure } from './known-failure.ts';

export const memoryStates: readonly KnownFailure[] = [
  {
    id: 'guest-panic',
    title: 'Guest panics',
    where: ['vmi', 'event', 'log', 'vm'],
    pattern: /GuestPanicked|PanicNotified|Panicked|kernel panic/i,
    cause: 'The guest itself crashed. Podvisor and the node are well.',
    fix: 'Look at what it last said: `virtctl console --share {name}` shows the last output; after the end, `kubectl -n {namespace} logs {pod} -c guest-console-log`. A VM that crashes again and again is started later each time (CrashLoopBackOff).',
  },
  {
    id: 'paused-by-io-error',
    title: 'Paused by a disk error',
    where: ['vmi'],
    pattern: /PausedIOError/,
    cause:
      'A disk of the guest gave an error (mostly: no space), so it was paused before it could lose data.',
    fix: 'Make room or mend the storage: the guest goes on by itself within minutes, or at once with `virtctl unpause vmi {name}`.',
  },
  {
    id: 'hibernated-state-does-not-fit',
    title: 'Sleeps, and its memory does not fit any more',
    where: ['vm'],
    pattern: /HibernatedStateRefused\/(?:StateDoesNotFit|StateInUse)/,
    cause:
      'The VM, its disks or its node are not as they were when the memory was saved; the evidence says what was and what is. Memory that does not fit is never loaded by force.',
    fix: 'Make the VM as it was and `virtctl start {name}`. Or give the memory up: `virtctl start {name} --discard-state` boots the guest from its disks, as after a power cut.',
  },
  {
    id: 'hibernated-state-lost',
    title: 'Sleeps, and its memory cannot be read',
    where: ['vm'],
    pattern: /HibernatedStateRefused\/(?:StateDamaged|StateMissing)/,
    cause:
      'The claim does not hold the memory of this guest, the file was changed or cut, or it was encrypted with the key of another installation.',
    fix: 'Bring the claim back from a backup, or the key (docs/hibernation.md), and `virtctl start {name}`. Or give the memory up: `virtctl start {name} --discard-state`.',
  },
  {
    id: 'copy-without-identity',
    title: 'A warm copy could not be told from the others',
    where: ['vmi', 'event', 'log'],
    pattern: /the copy could not be given an identity of its own: (.*)/,
    cause:
      'The copy went on from the memory of its snapshot, and could not be given a host name, machine id and keys of its own through its agent. It was ended; its next start boots from its disks.',
    fix: 'See that the guest agent ran and may execute commands when the snapshot was taken. A copy that may go on as the guest that it was: spec.identityless of the clone or pool.',
  },
  {
    id: 'hibernation-failed',
    title: 'Was not hibernated, and goes on',
    where: ['event', 'vm'],
    pattern: /HibernationFailed/,
    cause: 'The memory of the guest could not be saved; the evidence says why. The guest was not harmed.',
    fix: 'A claim without room: raise the memory claim’s class or quota. A storage that took nothing for a minute: see to that first. A device that cannot be saved (host devices, virtiofs): take it out of the VM. Then `virtctl hibernate {name}` again.',
  },
];
