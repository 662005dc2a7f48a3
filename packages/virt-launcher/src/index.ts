/** virt-launcher is a process; `main.ts` is its entry. What is exported serves tests and benchmarks. */
export { launcherPaths, libvirtPaths, type LauncherPaths, type LibvirtPaths } from './start-up/paths.ts';
export { createDirectories } from './start-up/directories.ts';
export { Libvirtd } from './start-up/libvirtd.ts';
