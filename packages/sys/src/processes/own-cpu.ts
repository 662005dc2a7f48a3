/** Milliseconds of CPU that this process has used, in itself and in the kernel. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
