/**
 * Makes one run of a container: bundle, root file system, OCI configuration, process. The record on disk is
 * written before and after each step that leaves a trace, so that a crash at any point can be cleaned up.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Container, Pod } from '@podvisor/api';
import {
  cgroupVersion,
  createContainer,
  isEmbeddedImage,
  mountLayers,
  openBeneath,
  readJson,
  removeTree,
  runcDelete,
  runcStart,
  startTicks,
  unmountBelow,
  USER_RANGE_SIZE,
} from '@podvisor/sys';
import { readAccessControl } from '../access-control/host.ts';
import { type KubeletContext, podCgroup, podUserNamespace } from '../context.ts';
import type { DeviceGrant } from '../device-manager/types.ts';
import { launcherRootDirectory, launcherRootMounts } from '../images/launcher-root.ts';
import type { Image } from '../images/types.ts';
import type { PodFacts } from '../pod/field-path.ts';
import { bootId, bundleDirectory, writeContainerRecord } from '../pod/records.ts';
import { type ContainerRecord, uidOf } from '../pod/types.ts';
import { pathOnNode } from '../volumes/host-path.ts';
import type { MountedVolume } from '../volumes/types.ts';
import { boundingSet } from './capabilities.ts';
import { oomScoreAdj } from './cgroup-resources.ts';
import { grantDevice, hostDevices, volumeDevices } from './devices.ts';
import { containerEnvironment, expand, type KeyedObjects } from './environment.ts';
import { podHostname } from './etc-files.ts';
import { imageFile } from './image-file.ts';
import { ociSpec } from './oci-spec.ts';
import type { OciMount, OciSeccomp, OciSpec } from './oci-types.ts';
import { type ContainerUser, ContainerUserError, containerUser } from './user.ts';
import { removeStagedRoot, stagedRoot, UserStage } from '../users/stage.ts';
import { volumeMounts } from './volume-mounts.ts';

export interface RunRequest {
  readonly pod: Pod;
  readonly container: Container;
  readonly attempt: number;
  readonly backoffLevel: number;
  readonly image: Image;
  readonly netns: string | undefined;
  /** First id on the machine of the Pod's user namespace, if it has one. */
  readonly userRange: number | undefined;
  readonly volumes: ReadonlyMap<string, MountedVolume>;
  /** Files of the Pod that every container sees: container path → path on the machine. */
  readonly podFiles: ReadonlyMap<string, string>;
  readonly devices: DeviceGrant;
  readonly facts: PodFacts;
  readonly objects: KeyedObjects;
  /** `NAME=value` of the Services that the Pod may know of. */
  readonly serviceEnv: readonly string[];
}

const LOG_MAX_BYTES = 50 * 1024 * 1024;
const available = boundingSet(readFileSync('/proc/self/status', 'utf8'));
const mayLowerOomScore = available.includes('SYS_RESOURCE');

/** Creates the container without starting it; `startRun` follows. */
export async function createRun(context: KubeletContext, request: RunRequest): Promise<ContainerRecord> {
  const { pod, container, attempt, image } = request;
  const bundle = bundleDirectory(context, uidOf(pod), container.name, attempt);
  await clearBundle(context, bundle);
  await mkdir(bundle, { recursive: true, mode: 0o711 });
  const record: ContainerRecord = {
    id: randomBytes(32).toString('hex'),
    podUid: uidOf(pod),
    name: container.name,
    attempt,
    image: image.reference,
    imageId: image.id,
    backoffLevel: request.backoffLevel,
    hostPid: pod.spec.hostPID === true,
    terminal: container.tty === true,
    ...(container.terminationMessagePolicy === undefined
      ? {}
      : { terminationMessagePolicy: container.terminationMessagePolicy }),
  };
  writeContainerRecord(context, record);
  using stage = openStage(context, request, bundle, record.id);
  await mountRootfs(bundle, image, stage);
  const spec = await renderSpec(context, request, bundle, stage);
  await writeFile(join(bundle, 'config.json'), JSON.stringify(spec), { mode: 0o600 });
  const { pid, monitorPid } = await createContainer({
    id: record.id,
    bundle,
    runcRoot: context.runcRoot,
    logPath: join(bundle, 'log'),
    logMaxBytes: LOG_MAX_BYTES,
    exitDir: context.exitDir,
    terminal: container.tty === true,
    stdin: container.stdin === true,
    leaveStdinOpen: container.stdin === true && container.stdinOnce !== true,
  });
  const created: ContainerRecord = {
    ...record,
    pid,
    bootId,
    startTicks: startTicks(pid) ?? '',
    monitor: { pid: monitorPid, startTicks: startTicks(monitorPid) ?? '' },
  };
  writeContainerRecord(context, created);
  return created;
}

export async function startRun(context: KubeletContext, record: ContainerRecord): Promise<void> {
  await runcStart(context.runcRoot, record.id);
  writeContainerRecord(context, { ...record, startedAt: context.clock.now() });
}

/** Removes what a run left on the machine: state of runc, mounts, and all files unless logs are kept. */
export async function removeRun(
  context: KubeletContext,
  record: ContainerRecord,
  keep: 'log' | 'nothing',
): Promise<void> {
  const bundle = bundleDirectory(context, record.podUid, record.name, record.attempt);
  await runcDelete(context.runcRoot, record.id);
  await unmountBelow(bundle);
  removeStagedRoot(stagedRoot(record.id));
  if (keep === 'nothing') {
    await removeTree(bundle);
    await rm(join(context.exitDir, record.id), { force: true });
    return;
  }
  for (const name of ['rootfs', 'upper', 'work', 'subpaths', 'stage']) await removeTree(join(bundle, name));
}

/** A crash may have left half of this attempt behind. */
async function clearBundle(context: KubeletContext, bundle: string): Promise<void> {
  if (!existsSync(bundle)) return;
  const left = readJson(join(bundle, 'record.json')) as ContainerRecord | undefined;
  if (left !== undefined) {
    await runcDelete(context.runcRoot, left.id);
    removeStagedRoot(stagedRoot(left.id));
    await rm(join(context.exitDir, left.id), { force: true });
  }
  await unmountBelow(bundle);
  await removeTree(bundle);
}

/** Undefined for a Pod without a user namespace. */
function openStage(
  context: KubeletContext,
  { userRange, pod }: RunRequest,
  bundle: string,
  id: string,
): UserStage | undefined {
  if (userRange === undefined) return undefined;
  const namespace = podUserNamespace(context, uidOf(pod));
  return UserStage.open(join(bundle, 'stage'), stagedRoot(id), userRange, namespace);
}

async function mountRootfs(bundle: string, image: Image, stage: UserStage | undefined): Promise<void> {
  const [rootfs, upper, work] = ['rootfs', 'upper', 'work'].map((name) => join(bundle, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([rootfs, upper, work].map((dir) => mkdir(dir, { mode: 0o755 })));
  if (stage !== undefined) {
    await Promise.all([upper, work].map((dir) => chown(dir, stage.first, stage.first)));
    mountLayers(rootfs, stage.layers(image.layers), { upper, work });
    return;
  }
  mountLayers(rootfs, image.layers, { upper, work });
}

async function renderSpec(
  context: KubeletContext,
  request: RunRequest,
  bundle: string,
  stage: UserStage | undefined,
): Promise<OciSpec> {
  const { pod, container, image, devices } = request;
  const rootfs = join(bundle, 'rootfs');
  const imageEnv = image.config.env.some((line) => line.startsWith('PATH='))
    ? image.config.env
    : ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...image.config.env];
  const given = [...imageEnv, ...request.serviceEnv];
  const environment = await containerEnvironment(pod, container, given, request.facts, request.objects);
  const user = containerUser(
    pod,
    container,
    image.config.user,
    imageFile(rootfs, 'etc/passwd'),
    imageFile(rootfs, 'etc/group'),
  );
  if (stage !== undefined) requireInRange(user, container);
  const env = new Map([
    ['HOSTNAME', podHostname(pod)],
    ['HOME', user.home],
    ...(container.tty === true ? [['TERM', 'xterm'] as const] : []),
    ...Object.entries(devices.env),
    ...environment,
  ]);
  const terminationLog = join(bundle, 'termination-log');
  await writeFile(terminationLog, '', { mode: 0o666 });
  await chmod(terminationLog, 0o666);
  const privileged = container.securityContext?.privileged === true;
  const fileMounts = [
    ...request.podFiles,
    [container.terminationMessagePath ?? '/dev/termination-log', terminationLog] as const,
  ];
  const mounted = new Set(container.volumeMounts?.map((mount) => mount.mountPath));
  const score = oomScoreAdj(pod, container, totalmem());
  const programs = isEmbeddedImage(image.reference)
    ? launcherRootMounts(launcherRootDirectory(context.paths.images), context.paths.lib)
    : [];
  const own: readonly OciMount[] = [
    ...fileMounts.filter(([path]) => !mounted.has(path)).map(([path, source]) => bindMount(path, source)),
    ...devices.mounts.map((m) => bindMount(m.containerPath, pathOnNode(m.hostPath, context), m.readOnly)),
    ...(await volumeMounts(container, request.volumes, bundle, env)),
  ];
  const granted = [
    ...(privileged ? hostDevices() : []),
    ...devices.devices.map((d) => grantDevice(d.hostPath, d.containerPath, d.permissions, user)),
    ...volumeDevices(container, request.volumes, user),
  ];
  const mounts =
    stage === undefined
      ? [...programs, ...own]
      : [
          ...programs.map((mount) => stage.programs(mount)),
          ...own.map((mount) => stage.mount(mount)),
          ...granted.map(({ device }) => stage.device(device)),
        ];
  return ociSpec({
    pod,
    container,
    rootfs: stage?.root(rootfs) ?? 'rootfs',
    args: processArgs(container, image, env),
    env,
    cwd: container.workingDir ?? (image.config.workingDir || '/'),
    user,
    hostname: podHostname(pod),
    cgroup: `${podCgroup(context, uidOf(pod))}/${container.name}-${request.attempt}`,
    netns: request.netns,
    mounts,
    devices: granted,
    ...(stage === undefined
      ? {}
      : {
          userNamespace: {
            path: podUserNamespace(context, uidOf(pod)),
            first: stage.first,
            sysfs: stage.sysfs(request.netns ?? ''),
          },
        }),
    availableCapabilities: available,
    // Without CAP_SYS_RESOURCE the score can only be raised.
    oomScoreAdj: score >= 0 || mayLowerOomScore ? score : undefined,
    ...localhostSeccomp(context, pod, container),
    cgroupVersion: cgroupVersion(),
    accessControl: readAccessControl(),
  });
}

function bindMount(destination: string, source: string, readOnly = false): OciMount {
  return { destination, type: 'bind', source, options: ['rbind', readOnly ? 'ro' : 'rw', 'rprivate'] };
}

function requireInRange({ uid, gid, groups }: ContainerUser, { name }: Container): void {
  const outside = [uid, gid, ...groups].find((id) => id >= USER_RANGE_SIZE);
  if (outside === undefined) return;
  throw new ContainerUserError(
    `container ${name}: id ${outside} is not in the Pod's user namespace (0 to ${USER_RANGE_SIZE - 1})`,
  );
}

/** `command` replaces entrypoint and command of the image; `args` alone replaces its command. */
function processArgs(
  container: Container,
  image: Image,
  env: ReadonlyMap<string, string>,
): readonly string[] {
  const own = (list: readonly string[] | undefined): readonly string[] | undefined =>
    list === undefined || list.length === 0 ? undefined : list.map((text) => expand(text, env));
  const command = own(container.command);
  const args = own(container.args);
  const all = [
    ...(command ?? image.config.entrypoint),
    ...(args ?? (command === undefined ? image.config.command : [])),
  ];
  if (all.length === 0)
    throw new Error(`container ${container.name}: neither the Pod nor the image names a command`);
  return all;
}

function localhostSeccomp(
  context: KubeletContext,
  pod: Pod,
  container: Container,
): { readonly localhostSeccomp?: OciSeccomp } {
  const profile = container.securityContext?.seccompProfile ?? pod.spec.securityContext?.seccompProfile;
  if (profile?.type !== 'Localhost') return {};
  using file = openBeneath(join(context.kubeletDir, 'seccomp'), profile.localhostProfile ?? '');
  return { localhostSeccomp: JSON.parse(readFileSync(file.fd, 'utf8')) as OciSeccomp };
}
