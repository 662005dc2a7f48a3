/** An error for people: one sentence on what could not be done, and the raw text as detail behind it. */
import { messageOf } from '@podvisor/base';

export class LauncherError extends Error {
  override readonly name = 'LauncherError';

  constructor(sentence: string, options: { readonly detail?: string; readonly cause?: unknown } = {}) {
    super(
      options.detail === undefined || options.detail === '' ? sentence : `${sentence}: ${options.detail}`,
      {
        cause: options.cause,
      },
    );
  }
}

/** A failure we have met before. Data, so that the next one is one more line. */
interface KnownFailure {
  readonly id: string;
  readonly pattern: RegExp;
  readonly sentence: string;
}

const KNOWN_FAILURES: readonly KnownFailure[] = [
  {
    id: 'disk-locked',
    pattern: /Failed to get "\w+" lock|Failed to lock byte \d+|is already in use by another process/i,
    sentence:
      'the virtual machine was not started because another process is using one of its disks; ' +
      'end the other user of the disk first',
  },
  {
    id: 'no-space',
    pattern: /No space left on device/i,
    sentence: 'the node has no space left for the disks of the virtual machine',
  },
  {
    id: 'out-of-memory',
    pattern: /Cannot allocate memory|cannot set up guest memory/i,
    sentence: 'the node could not give the virtual machine its memory',
  },
  {
    id: 'kvm-missing',
    pattern: /Could not access KVM kernel module|failed to initialize kvm|kvm not present/i,
    sentence: 'hardware virtualisation is not usable on this node and software emulation was not asked for',
  },
  {
    id: 'tap-missing',
    pattern: /Unable to create tap device|\/dev\/net\/tun/i,
    sentence: 'the network device of the virtual machine could not be opened',
  },
  {
    id: 'disk-permission',
    pattern: /Could not open '[^']*': Permission denied|Permission denied/i,
    sentence: 'the virtual machine may not open one of its disks or devices',
  },
  {
    id: 'disk-missing',
    pattern: /Could not open '[^']*': No such file|Cannot access storage file/i,
    sentence: 'one of the disks of the virtual machine is not there',
  },
  {
    id: 'something-missing',
    pattern: /No such file or directory/i,
    sentence: 'a file or device that the virtual machine needs is not there',
  },
];

/** Wraps what libvirt or QEMU said into a sentence about what was tried. */
export function explain(tried: string, error: unknown): LauncherError {
  if (error instanceof LauncherError) return error;
  const detail = messageOf(error);
  const known = KNOWN_FAILURES.find((failure) => failure.pattern.test(detail));
  return new LauncherError(known?.sentence ?? tried, { detail, cause: error });
}

/** Waits for a step; its failure is explained as `tried`. */
export async function explained(tried: string, step: Promise<void>): Promise<void> {
  await step.catch((error: unknown) => {
    throw explain(tried, error);
  });
}
