/** Linux: the only package that runs system tools or calls foreign functions. */
export {
  AddressRefused,
  type CheckedHost,
  checkedHost,
  checkedLookup,
  ownAddresses,
  type Resolve,
} from './network/checked-dial.ts';
export { loopbackListener } from './network/loopback-listener.ts';
export { type CheckedNetwork, openCheckedNetwork } from './network/checked-network.ts';
export { announceAddress } from './network/arp.ts';
export { sendFrames } from './network/send-frames.ts';
export { type PackOptions, packImage } from './files/pack-image.ts';
export { cgroupVersion, type KvmFacts, kvmFacts } from './host-facts.ts';
export {
  defaultHome,
  EMBEDDED_IMAGE_GRANT,
  EMBEDDED_LAUNCHER_IMAGE,
  EMBEDDED_REGISTRY,
  EMBEDDED_TAG,
  embeddedProgram,
  isEmbeddedImage,
  PASST_SECCOMP_PROFILE,
  type InstanceConfig,
  type InstanceNode,
  type InstancePaths,
  type NodeNetwork,
  instancePaths,
  readInstanceConfig,
  VIRTIOFS_SECCOMP_PROFILE,
  nodeAddresses,
  podCidrs,
} from './instance.ts';
export { ipBatch, type Link, listLinks, listLinksAndRoutes, listRoutes, type Route } from './network/ip.ts';
export {
  listMounts,
  type Mount,
  mountBind,
  mountTmpfs,
  parseMountinfo,
  unmountBelow,
} from './files/mounts.ts';
export { createNetns, netnsPath, removeNetns, runInNetns } from './network/netns.ts';
export {
  growFilesystemImage,
  imageBeside,
  makeFilesystemImage,
  mountFilesystemImage,
  shareFilesystemImage,
  unmountFilesystemImage,
} from './files/filesystem-image.ts';
export { nftAccepts, nftApply, nftTable, nftTables } from './network/nft.ts';
export {
  isAlive,
  type StartedProcess,
  type StartOptions,
  startProcess,
  startTicks,
} from './processes/process.ts';
export { type RunOptions, type RunResult, run, ToolError } from './processes/run.ts';
export {
  BROKEN,
  duplicate,
  NOT_NOW,
  POLLIN,
  POLLOUT,
  readInto,
  shutdownWrite,
  waitForAny,
  wakeUpPair,
  writeFrom,
} from './files/fd-io.ts';
export { SystemCallError } from './libc.ts';
export {
  TlsContext,
  type TlsIdentity,
  type TlsRead,
  TlsSession,
  type TlsWrite,
  type Wants,
} from './openssl.ts';
export { O_PATH, type OpenBeneathOptions, openBeneath, openDirectory } from './files/open-beneath.ts';
export { OwnedFd } from './files/owned-fd.ts';
export { keepSmall } from './processes/keep-small.ts';
export { trimMemory } from './processes/trim-memory.ts';
export { seLinuxContextOf } from './processes/selinux-context.ts';
export { liftMemoryLock, processTree } from './processes/memory-lock.ts';
export { signalProcess } from './processes/pidfd.ts';
export {
  bindToDevice,
  breakWhenSilent,
  disableUdpChecksum,
  limitUnsent,
  type PeerCredentials,
  peerCredentials,
  setReceiveBuffer,
  setSendBuffer,
} from './network/socket-options.ts';
export { type CgroupUsage, cgroupUsage } from './cgroups/cgroup-usage.ts';
export { machineUsage } from './cgroups/machine-usage.ts';
export {
  cgroupChildren,
  cgroupDirectories,
  cgroupProcesses,
  freezeCgroup,
  removeCgroup,
  weighCgroup,
} from './cgroups/cgroups.ts';
export { isProcessInPod } from './cgroups/pod-cgroup.ts';
export { type CniCall, type CniResult, cniInvoke } from './network/cni.ts';
export { type CreateContainerOptions, type CreatedContainer, createContainer } from './processes/conmon.ts';
export { entriesBelow } from './files/entries-below.ts';
export { BoundedWatch } from './files/bounded-watch.ts';
export { firstNames } from './files/first-names.ts';
export { makeOnce } from './files/make-once.ts';
export { removeTree } from './files/remove-tree.ts';
export { visitBeneath } from './files/visit-beneath.ts';
export {
  type InteractiveOptions,
  type InteractiveProcess,
  startInteractive,
} from './processes/interactive.ts';
export {
  attachLoopDevice,
  detachLoopDevices,
  loopDevicesOf,
  refreshLoopDevices,
} from './files/loop-device.ts';
export { makeShared, mountForeign, mountHugetlbfs } from './files/mounts.ts';
export { runcDelete, runcExec, runcExecTerminal, runcKill, runcStart } from './processes/runc.ts';
export { readSysctl, writeNetSysctls, writeSysctl } from './sysctl.ts';
export { connectFromNetns, connectLoopback } from './network/netns-socket.ts';
export { DeadMansSwitch, type SwitchTarget } from './dead-mans-switch.ts';
export { stallDevice } from './io-limit.ts';
export { clearNodeFault, type NodeFault, nodeFault, setNodeFault } from './node-fault.ts';
export { claimPidFile, readPidFile, removePidFile, writePidFile } from './files/pid-file.ts';
export { Icmpv6Socket, type Icmpv6SocketOptions } from './network/icmpv6-socket.ts';
export { attachForeignTree, cloneForeignTree, unmountForeignEntry } from './foreign-mounts.ts';
export { serveQuestions, startWorker, type WorkerProcess } from './processes/worker-process.ts';
export {
  attachTree,
  makeBlockNode,
  makeDeviceNode,
  unmountEntry,
} from './files/mount-by-handle.ts';
export {
  canBeMapped,
  cloneTree,
  type MountFlag,
  mountLayers,
  mountNodeDirectory,
  mountSysfs,
  mountTree,
  unmountNow,
} from './files/mapped-mounts.ts';
export {
  bindUserNamespace,
  idOnNode,
  openUserNamespace,
  releaseUserNamespace,
  USER_RANGE_SIZE,
} from './confinement/user-namespace.ts';
export { setBlockDeviceAccess } from './cgroups/device-access.ts';
export { canShareBlocks, copyContent } from './files/copy-content.ts';
export { type ConfinedOptions, type ConfinementLimits, runConfined } from './confinement/confined.ts';
export { machineTimeMs } from './machine-time.ts';
export { allowUserfaultfd, USERFAULTFD_NOTE, USERFAULTFD_SETTING } from './userfaultfd.ts';
export {
  CAPABILITIES,
  type Capability,
  namesOf,
  type Privileges,
  readPrivileges,
} from './confinement/capabilities.ts';
export { componentUser, UNPRIVILEGED, type UnprivilegedComponent } from './confinement/component-users.ts';
export type { Confinement } from './confinement/confinement.ts';
export type { ShownPath } from './confinement/root-view.ts';
export { hasDaemonFilter } from './confinement/daemon-filter.ts';
export { readJson, writeJson, writeJsonMakingDirectories } from './files/json-file.ts';
