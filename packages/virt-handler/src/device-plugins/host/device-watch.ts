/**
 * Tells when devices that guests may get come or go: the kernel makes and removes their nodes in `/dev/vfio` and
 * `/dev/bus/usb`, and inotify says so. Directories that come later are followed from then on.
 */
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@podvisor/base';
import { entriesOf } from './sysfs.ts';

/** Sysfs is complete a moment after the node is there (a mediated device gets its type last). */
const SETTLE_MS = 250;

export class DeviceWatch implements Disposable {
  readonly #dev: string;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #cancel: (() => void) | undefined;
  #closed = false;

  constructor(dev: string, clock: Clock, onChange: () => void) {
    this.#dev = dev;
    this.#clock = clock;
    this.#onChange = onChange;
    this.#follow();
  }

  #follow(): void {
    const usb = join(this.#dev, 'bus/usb');
    const directories = [
      this.#dev,
      join(this.#dev, 'vfio'),
      join(this.#dev, 'bus'),
      usb,
      ...entriesOf(usb).map((bus) => join(usb, bus)),
    ];
    for (const directory of directories) {
      if (this.#watchers.has(directory)) continue;
      try {
        const watcher = watch(directory, { persistent: false }, (_event, name) =>
          this.#heard(directory, name),
        );
        watcher.on('error', () => this.#forget(directory));
        this.#watchers.set(directory, watcher);
      } catch {
        // Not there yet: its parent tells when it comes.
      }
    }
  }

  #heard(directory: string, name: string | null): void {
    // `/dev` itself is busy with other devices.
    if (directory === this.#dev && name !== 'vfio' && name !== 'bus') return;
    // A directory that was removed and made again needs another watch.
    if (name !== null) this.#forget(join(directory, name));
    this.#follow();
    if (this.#closed || this.#cancel !== undefined) return;
    this.#cancel = this.#clock.after(SETTLE_MS, () => {
      this.#cancel = undefined;
      this.#follow();
      this.#onChange();
    });
  }

  #forget(directory: string): void {
    this.#watchers.get(directory)?.close();
    this.#watchers.delete(directory);
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#cancel?.();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }
}
