/** Fail points of a whole instance: set, taken, and how its programs come to know them (`preload.mjs`). */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Instance } from '../instance.ts';

export type Program = 'virt-controller' | 'virt-handler' | 'virt-launcher';

export class FailPoints {
  readonly #lib: string;
  readonly #pidFile: string;
  /** virt-controller when a point was set: it writes nowhere, so its death is all that it can tell. */
  #victim = '';

  /** Before `up`: the programs of the home inherit the environment that it gets. */
  constructor(instance: Instance) {
    this.#lib = join(instance.home, 'lib');
    this.#pidFile = join(instance.home, 'run/virt-controller.pid');
    mkdirSync(this.#lib, { recursive: true });
    const preload = join(this.#lib, 'preload.mjs');
    copyFileSync(join(import.meta.dirname, 'preload.mjs'), preload);
    instance.env['NODE_OPTIONS'] = `--import=${preload}`;
  }

  /** After `up`: launchers inherit nothing, so their start script is told. */
  reachLaunchers(): void {
    const wrapper = join(this.#lib, 'virt-launcher');
    const text = readFileSync(wrapper, 'utf8');
    writeFileSync(
      `${wrapper}.new`,
      text.replace('exec ', 'export NODE_OPTIONS=--import=/usr/lib/podvisor/preload.mjs\nexec '),
    );
    chmodSync(`${wrapper}.new`, 0o755);
    copyFileSync(`${wrapper}.new`, wrapper);
  }

  set(program: Program, point: string, action: string): void {
    const directory = join(this.#lib, 'fail-points', program);
    mkdirSync(directory, { recursive: true });
    rmSync(join(`${directory}.done`, point), { force: true });
    if (program === 'virt-controller') this.#victim = this.#controller();
    writeFileSync(join(directory, point), action);
  }

  clear(program: Program, point: string): void {
    rmSync(join(this.#lib, 'fail-points', program, point), { force: true });
  }

  /**
   * The point was passed and did what it was told. Never of a launcher, which cannot say so. virt-controller may
   * have died there more than once before the point is cleared here.
   */
  wasTaken(program: Program, point: string): boolean {
    if (program === 'virt-controller') {
      const died = this.#controller() !== this.#victim;
      if (died) this.clear(program, point);
      return died;
    }
    return existsSync(join(this.#lib, 'fail-points', `${program}.done`, point));
  }

  #controller(): string {
    return existsSync(this.#pidFile) ? readFileSync(this.#pidFile, 'utf8') : this.#victim;
  }
}
