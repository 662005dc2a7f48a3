/** Which modules the running kernel can load: most kernels bring most of what we use as modules, loaded at first use. */
import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';

/** True when depmod's list of the kernel's modules (lines `PATH: DEPENDENCIES`) has one of this name. Pure. */
export function listsModule(modulesDep: string, name: string): boolean {
  return new RegExp(`(?:^|/)${name}\\.ko(?:\\.[a-z]+)?:`, 'm').test(modulesDep);
}

/** True when modprobe would find the module for this kernel, loaded or not. */
export function canLoadModule(name: string): boolean {
  const file = `/lib/modules/${release()}/modules.dep`;
  return existsSync(file) && listsModule(readFileSync(file, 'utf8'), name);
}
