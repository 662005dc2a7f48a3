/** Linux: the only package that runs system tools or calls foreign functions. */
export {
  AddressRefused,
  type CheckedHost,
  checkedHost,
  checkedLookup,
  ownAddresses,
  type Resolve,
} from './checked-dial.ts';
export { type CheckedNetwork, openCheckedNetwork } from './checked-network.ts';
export { announceAddress } from './arp.ts';
export { type PackOptions, packImage } from './pack-image.ts';
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
export { ipBatch, type Link, listLinks, listRoutes, type Route } from './ip.ts';
export {
  listMounts,
  type Mount,
  mountBind,
  mountTmpfs,
  parseMountinfo,
  unmountBelow,
} from './mounts.ts';
export { createNetns, netnsPath, removeNetns, runInNetns } from './netns.ts';
export {
  growFilesystemImage,
  imageBeside,
  makeFilesystemImage,
  mountFilesystemImage,
  unmountFilesystemImage,
} from './filesystem-image.ts';
export { nftAccepts, nftApply, nftTable } from './nft.ts';
export { isAlive, type StartedProcess, type StartOptions, startProcess, startTicks } from './process.ts';
export { type RunOptions, type RunResult, run, ToolError } from './run.ts';
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
} from './fd-io.ts';
export { SystemCallError } from './libc.ts';
export {
  TlsContext,
  type TlsIdentity,
  type TlsRead,
  TlsSession,
  type TlsWrite,
  type Wants,
} from './openssl.ts';
export { O_PATH, type OpenBeneathOptions, openBeneath, openDirectory } from './open-beneath.ts';
export { OwnedFd } from './owned-fd.ts';
export { pidfdOpen, signalProcess } from './pidfd.ts';
export {
  bindToDevice,
  breakWhenSilent,
  disableUdpChecksum,
  limitUnsent,
  type PeerCredentials,
  peerCredentials,
  setReceiveBuffer,
  setSendBuffer,
} from './socket-options.ts';
export { type CgroupUsage, cgroupUsage } from './cgroup-usage.ts';
export { machineUsage } from './machine-usage.ts';
export {
  cgroupChildren,
  cgroupDirectories,
  cgroupProcesses,
  freezeCgroup,
  removeCgroup,
  weighCgroup,
} from './cgroups.ts';
export { isProcessInPod, podOfCgroups } from './pod-cgroup.ts';
export { type CniCall, type CniResult, cniInvoke } from './cni.ts';
export { type CreateContainerOptions, type CreatedContainer, createContainer } from './conmon.ts';
export { entriesBelow } from './entries-below.ts';
export { type InteractiveOptions, type InteractiveProcess, startInteractive } from './interactive.ts';
export { attachLoopDevice, detachLoopDevices, loopDevicesOf, refreshLoopDevices } from './loop-device.ts';
export { makeShared, mountForeign, mountHugetlbfs } from './mounts.ts';
export { runcDelete, runcExec, runcExecTerminal, runcKill, runcStart } from './runc.ts';
export { readSysctl, sysctlPath, writeNetSysctls, writeSysctl } from './sysctl.ts';
export { connectFromNetns, connectLoopback } from './netns-socket.ts';
export { DeadMansSwitch, type SwitchTarget } from './dead-mans-switch.ts';
export { stallDevice } from './io-limit.ts';
export { clearNodeFault, type NodeFault, nodeFault, setNodeFault } from './node-fault.ts';
export { readPidFile, removePidFile, writePidFile } from './pid-file.ts';
export { Icmpv6Socket, type Icmpv6SocketOptions } from './icmpv6-socket.ts';
export { cloneForeignTree } from './foreign-mounts.ts';
export {
  attachTree,
  bindByHandle,
  blockDeviceNumber,
  makeBlockNode,
  makeDeviceNode,
  unmountEntry,
} from './mount-by-handle.ts';
export {
  canBeMapped,
  type MountFlag,
  mountLayers,
  mountNodeDirectory,
  mountSysfs,
  mountTree,
  unmountNow,
} from './mapped-mounts.ts';
export {
  bindUserNamespace,
  idOnNode,
  openUserNamespace,
  releaseUserNamespace,
  USER_RANGE_SIZE,
} from './user-namespace.ts';
export { setBlockDeviceAccess, splitDeviceNumber } from './device-access.ts';
export { canShareBlocks, copyContent } from './copy-content.ts';
export { type ConfinedOptions, type ConfinementLimits, runConfined } from './confined.ts';
export { allowUserfaultfd, USERFAULTFD_NOTE, USERFAULTFD_SETTING } from './userfaultfd.ts';
export { CAPABILITIES, type Capability, namesOf, type Privileges, readPrivileges } from './capabilities.ts';
export { componentUser, UNPRIVILEGED, type UnprivilegedComponent } from './component-users.ts';
export type { Confinement } from './confinement.ts';
export type { ShownPath } from './root-view.ts';
export { hasDaemonFilter } from './daemon-filter.ts';
export { readJson, writeJson, writeJsonMakingDirectories } from './json-file.ts';
