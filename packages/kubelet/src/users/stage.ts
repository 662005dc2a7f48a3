/**
 * What a container in a user namespace is made of, before it runs: copies of its mounts that show owners through the
 * namespace, its device nodes with owners of the range, and a way to its root directory that the namespace's root may
 * walk. runc takes them over when it creates the container; the stage is cleared right after.
 */
import { chmodSync, chownSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  listMounts,
  makeDeviceNode,
  type Mount,
  type MountFlag,
  mountLayers,
  mountNodeDirectory,
  mountSysfs,
  mountTree,
  OwnedFd,
  SystemCallError,
  unmountNow,
} from '@podvisor/sys';
import type { OciDevice, OciMount } from '../container/oci-types.ts';

export class UserStage {
  /** First id of the range on the machine. */
  readonly first: number;
  readonly #directory: string;
  readonly #rootDirectory: string;
  readonly #users: OwnedFd;
  /** What `clear` takes away. What is mounted below the stage's own directory goes with that, in one call. */
  readonly #mounted: string[] = [];
  #places = 0;

  private constructor(directory: string, rootDirectory: string, first: number, users: OwnedFd) {
    this.#directory = directory;
    this.#rootDirectory = rootDirectory;
    this.first = first;
    this.#users = users;
  }

  /** `directory` is made; `rootDirectory` is where `stagedRoot` says. `namespace`: where it is bound. */
  static open(directory: string, rootDirectory: string, first: number, namespace: string): UserStage {
    const stage = new UserStage(directory, rootDirectory, first, new OwnedFd(openSync(namespace, 'r')));
    try {
      mkdirSync(directory, { mode: 0o700 });
      mountNodeDirectory(directory);
      stage.#mounted.push(directory);
      return stage;
    } catch (error) {
      stage.clear();
      throw error;
    }
  }

  /** Directories as the namespace sees their owners, to be layers of an overlay. */
  layers(directories: readonly string[]): readonly string[] {
    return directories.map((directory) => this.#tree(directory, [], this.#users));
  }

  /** Shows the root file system at `rootfs` where the namespace's root may walk to; gives that path. */
  root(rootfs: string): string {
    const place = stagedRootPlace(this.#rootDirectory);
    openTheWay();
    mkdirSync(place, { recursive: true, mode: 0o755 });
    // It may hold setuid programs: no other user of the machine gets there.
    chownSync(this.#rootDirectory, this.first, this.first);
    chmodSync(this.#rootDirectory, 0o700);
    // An overlay of mapped layers shows the right owners itself.
    mountTree(rootfs, place);
    this.#mounted.push(place);
    return place;
  }

  /** The mount with the owners of the namespace. */
  mount(mount: OciMount): OciMount {
    return this.#staged(mount, (source, flags) => this.#shown(source, flags));
  }

  /** Programs of the node, which belong to nobody in the namespace and need not belong to anybody. */
  programs(mount: OciMount): OciMount {
    return this.#staged(mount, (source, flags) => this.#tree(source, flags));
  }

  /** sysfs with the network devices of the Pod: only who owns the network namespace may mount it. */
  sysfs(netns: string): string {
    const place = this.#directoryPlace();
    mountSysfs(netns, place);
    return place;
  }

  /** A node of the device, as a mount: in a user namespace nobody makes nodes. */
  device({ path, type, major, minor, fileMode = 0o600, uid = 0, gid = 0 }: OciDevice): OciMount {
    const place = this.#place();
    const owner = [this.first + uid, this.first + gid] as const;
    makeDeviceNode(place, { type, major, minor, mode: fileMode, owner });
    return { destination: path, type: 'bind', source: place, options: ['bind', 'rprivate'] };
  }

  /** Idempotent. Containers keep what they have. The root's place stays, empty: `runc exec` starts from there. */
  clear(): void {
    for (const path of this.#mounted.toReversed()) unmountNow(path);
    this.#mounted.length = 0;
    rmSync(this.#directory, { recursive: true, force: true });
    this.#users.close();
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  /**
   * Flags become part of the staged mount: runc could not add them in the namespace without taking others away. The
   * layers of an overlay are out of the namespace's reach: it is made here.
   */
  #staged(mount: OciMount, show: (source: string, flags: readonly MountFlag[]) => string): OciMount {
    const { destination, type, options = [], source = '' } = mount;
    if (type !== 'bind' && type !== 'overlay') return mount;
    const place =
      type === 'bind' ? show(source, options.filter(isFlag)) : this.#overlay(layersOf(options.join(',')));
    const kept = options.filter((option) => PROPAGATION.includes(option));
    return { destination, type: 'bind', source: place, options: ['rbind', ...kept] };
  }

  #shown(source: string, flags: readonly MountFlag[]): string {
    const overlay = readOnlyOverlay(listMounts(), source);
    if (overlay === undefined) return this.#tree(source, flags, this.#users);
    return join(this.#overlay(this.layers(layersOf(overlay.superOptions))), overlay.root);
  }

  #overlay(layers: readonly string[]): string {
    const place = this.#directoryPlace();
    mountLayers(place, layers);
    return place;
  }

  #tree(source: string, flags: readonly MountFlag[], users?: OwnedFd): string {
    const place = statSync(source).isDirectory() ? this.#directoryPlace() : this.#filePlace();
    try {
      mountTree(source, place, { flags, ...(users === undefined ? {} : { users }) });
    } catch (error) {
      if (!(error instanceof SystemCallError)) throw error;
      throw new Error(`${source} cannot be shown in a user namespace`, { cause: error });
    }
    return place;
  }

  #place(): string {
    this.#places += 1;
    return join(this.#directory, String(this.#places));
  }

  #directoryPlace(): string {
    const place = this.#place();
    mkdirSync(place, { mode: 0o755 });
    return place;
  }

  #filePlace(): string {
    const place = this.#place();
    writeFileSync(place, '', { mode: 0o600 });
    return place;
  }
}

const RUN = '/run/podvisor';
const ROOTS = join(RUN, 'container-roots');

/**
 * Directory for the root of container `id`. Nobody but root may walk to bundles, and the root of a user namespace is
 * somebody else: he may walk here, and see no names.
 */
export function stagedRoot(id: string): string {
  return join(ROOTS, id);
}

/** Whoever made them first, runc or another part of a home, may have made them for root alone. */
function openTheWay(): void {
  mkdirSync(ROOTS, { recursive: true });
  chmodSync(RUN, 0o755);
  chmodSync(ROOTS, 0o711);
}

/** Removes what is left of a root's place; no container may use it any more. */
export function removeStagedRoot(rootDirectory: string): void {
  unmountNow(stagedRootPlace(rootDirectory));
  rmSync(rootDirectory, { recursive: true, force: true });
}

function stagedRootPlace(rootDirectory: string): string {
  return join(rootDirectory, 'root');
}

const PROPAGATION = ['rprivate', 'rslave', 'rshared'];

function isFlag(option: string): option is MountFlag {
  return ['ro', 'nosuid', 'nodev', 'noexec'].includes(option);
}

/** An overlay cannot be mapped itself; one that is only read can be made again, of mapped layers. Pure. */
export function isReadOnlyOverlay(mounts: readonly Mount[], path: string): boolean {
  return readOnlyOverlay(mounts, path) !== undefined;
}

function readOnlyOverlay(mounts: readonly Mount[], path: string): Mount | undefined {
  const mount = mounts.findLast(({ mountPoint }) => mountPoint === path);
  return mount?.fsType === 'overlay' && !mount.superOptions.includes('upperdir=') ? mount : undefined;
}

/** The directories of `lowerdir=` among options, the upper one first. Pure. */
export function layersOf(options: string): readonly string[] {
  const list = /(?:^|,)lowerdir=([^,]*)/.exec(options)?.[1] ?? '';
  return list.split(':').filter((path) => path !== '');
}
