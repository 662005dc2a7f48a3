/** libvirtd's directories in session mode. */
export interface LibvirtPaths {
  readonly root: string;
  readonly home: string;
  readonly runtime: string;
  readonly cache: string;
  /** What libvirt knows of QEMU. */
  readonly capabilities: string;
  readonly config: string;
  readonly data: string;
  readonly daemonConfig: string;
  readonly daemonLog: string;
  readonly drivers: string;
  readonly socket: string;
  readonly pidFile: (domainName: string) => string;
  readonly qemuLog: (domainName: string) => string;
}

/**
 * Short names in a short directory: below them libvirt makes sockets such as
 * `c/libvirt/qemu/channel/target/domain-1-<20 letters>/org.qemu.guest_agent.0`, and a socket's path ends
 * at 107 bytes.
 */
export function libvirtPaths(root: string): LibvirtPaths {
  const runtime = `${root}/r`;
  const cache = `${root}/k`;
  return {
    root,
    home: `${root}/h`,
    runtime,
    cache,
    capabilities: `${cache}/libvirt/qemu/cache/capabilities`,
    config: `${root}/c`,
    data: `${root}/d`,
    daemonConfig: `${root}/libvirtd.conf`,
    daemonLog: `${root}/libvirtd.log`,
    drivers: `${root}/drivers`,
    socket: `${runtime}/libvirt/libvirt-sock`,
    pidFile: (name) => `${runtime}/libvirt/qemu/run/${name}.pid`,
    qemuLog: (name) => `${cache}/libvirt/qemu/log/${name}.log`,
  };
}
