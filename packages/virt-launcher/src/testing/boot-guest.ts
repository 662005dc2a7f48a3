/** Boots the hello guest under a real launcher and waits until its script has run. */
import assert from 'node:assert/strict';
import type { SyncOptions, VirtualMachineInstance } from '@podvisor/api';
import { openConsole, type TestConsole } from './console.ts';
import { type GuestSpec, guestVmi, MARK, mountGuest } from './guest-vmi.ts';
import { helloGuest } from './hello-guest.ts';
import { startTestLauncher, type TestLauncher, until } from './launcher-process.ts';

/** Software emulation on a busy machine; usually a tenth of it. */
const BOOT_MS = 150_000;

export interface BootedGuest extends AsyncDisposable {
  readonly launcher: TestLauncher;
  readonly vmi: VirtualMachineInstance;
  readonly console: TestConsole;
  /** All that the console showed, without carriage returns. */
  said(): string;
  /** Waits until the console shows it. */
  says(text: string | RegExp, timeoutMs?: number): Promise<void>;
}

export interface BootOptions {
  /** Makes what the kubelet would mount. */
  readonly prepare?: (directory: string) => void;
  readonly flags?: readonly string[];
  readonly tun?: boolean;
  readonly sync?: Partial<SyncOptions>;
  /** Called when the launcher is ready, before the first sync. */
  readonly ready?: (launcher: TestLauncher) => Promise<void>;
}

export async function bootGuest(spec: GuestSpec, options: BootOptions = {}): Promise<BootedGuest> {
  const guest = helloGuest();
  const launcher = await startTestLauncher({
    graceSeconds: 2,
    flags: options.flags,
    tun: options.tun,
    prepare: (directory) => {
      mountGuest(directory, guest);
      options.prepare?.(directory);
    },
  });
  try {
    await options.ready?.(launcher);
    const vmi = guestVmi(launcher, spec);
    assert.deepEqual(await launcher.sync(vmi, options.sync), { success: true, message: '' });
    const console = openConsole(launcher);
    const said = (): string => console.text().replaceAll('\r', '');
    const says: BootedGuest['says'] = async (text, timeoutMs = 60_000) => {
      const found = (): boolean => (typeof text === 'string' ? said().includes(text) : text.test(said()));
      await until(found, timeoutMs, `${text} from the guest`).catch((error: Error) => {
        throw new Error(`${error.message}; its console: ${said()}; its launcher: ${launcher.output()}`);
      });
    };
    await says(MARK, BOOT_MS);
    return { launcher, vmi, console, said, says, [Symbol.asyncDispose]: () => launcher.stop() };
  } catch (error) {
    await launcher.stop();
    throw error;
  }
}
