/**
 * `podvisor run IMAGE`: from nothing to a shell. Starts the home when it is down, brings the image (downloaded and
 * checked, or built from Debian's packages where there is no internet), makes the VM, and signs in over SSH.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { sleep, systemClock } from '@podvisor/base';
import { KubeClient, resources } from '@podvisor/kube';
import { defaultHome, entriesBelow, type InstancePaths, instancePaths, run } from '@podvisor/sys';
import { toYaml } from '../output/yaml.ts';
import { processShell } from '../process-shell.ts';
import { buildProgram } from '../program.ts';
import { NAMED_IMAGES, type NamedImage, namedImage } from '../run/catalogue.ts';
import { downloadImage, NoInternet } from '../run/download.ts';
import { isoVolume, rootVolume, type RunRequest, runObjects } from '../run/manifest.ts';
import { homeKey, usualPublicKeys } from '../run/ssh-identity.ts';
import { whileTelling } from '../output/still.ts';
import { table } from '../output/table.ts';
import { Progress } from '../progress.ts';
import { applyObject } from './up/manifests.ts';
import { followVms } from './up/follow.ts';
import { up } from './up/up.ts';
import { colouredLines } from '../output/plain-text.ts';

export interface RunFlags {
  readonly name?: string;
  readonly namespace: string;
  readonly user?: string;
  readonly sshKey?: string;
  readonly cpu: number;
  readonly memory?: string;
  readonly disk?: string;
  readonly port: readonly string[];
  readonly volume: readonly string[];
  readonly fromIso?: string;
  readonly preference?: string;
  readonly dryRun: boolean;
  readonly detach: boolean;
  readonly timeout: number;
}

const BUILD_MS = 1_800_000;
/** A guest without KVM takes minutes until its SSH server is there. */
const SSH_MS = 600_000;
const TRY_MS = 30_000;
const PAUSE_MS = 1000;

/** Without an image: the names that there are. `command` is run in the guest instead of a shell. */
export async function runImage(
  root: string,
  image: string | undefined,
  command: readonly string[],
  flags: RunFlags,
): Promise<void> {
  if (image === undefined && flags.fromIso === undefined) return listImages();
  if (!flags.dryRun && process.getuid?.() !== 0)
    throw new Error('podvisor run needs root, as podvisor up does: run it with sudo; --dry-run needs none');
  const paths = instancePaths(defaultHome());
  const named = image === undefined || image.includes('/') ? undefined : namedImage(image);
  const key = flags.fromIso === undefined ? await sshKey(flags.sshKey, paths, flags.dryRun) : undefined;
  const request = requestOf(image, named, key?.publicKey, flags);
  const objects = runObjects(request);
  if (flags.dryRun) return void process.stdout.write(objects.map(toYaml).join('---\n'));
  await up(root, undefined, { timeoutSeconds: flags.timeout, wait: false });
  const file = named === undefined ? undefined : await imageFile(root, named, paths);
  const client = KubeClient.fromKubeconfig(paths.kubeconfig, 'podvisor');
  const place = (): string => 'podvisor run';
  for (const object of objects) await applyObject(client, { object, place });
  if (file !== undefined) await upload(paths, request, rootVolume(request.name), file);
  if (flags.fromIso !== undefined) await upload(paths, request, isoVolume(request.name), flags.fromIso);
  const signal = AbortSignal.timeout(flags.timeout * 1000);
  const stored = await client.get(resources.virtualMachines, request, signal);
  const target = { client, say: (line: string) => console.log(colouredLines(line)) };
  await followVms(target, [{ ...stored, kind: 'VirtualMachine' }], signal);
  await tellAddresses(client, request);
  if (key === undefined) {
    console.log(`Install it on its screen: virtctl vnc ${request.name}`);
    return;
  }
  await signIn(root, paths, request, key, command, flags.detach);
}

function listImages(): void {
  const rows = NAMED_IMAGES.map(({ name, description, user, url, checksums }) => [
    ...[name, description, user, checksums.signature.kind === 'none' ? 'no' : 'yes', url],
  ]);
  console.log(table(['name', 'what', 'user', 'signed', 'from'], rows));
  console.log('\npodvisor run NAME, or a container disk: podvisor run registry.example/disk:tag --user NAME');
}

function requestOf(
  image: string | undefined,
  named: NamedImage | undefined,
  publicKey: string | undefined,
  flags: RunFlags,
): RunRequest {
  const { fromIso } = flags;
  if (fromIso !== undefined && !existsSync(fromIso))
    throw new Error(`--from-iso: there is no file ${fromIso}`);
  const preference = flags.preference ?? named?.preference ?? 'linux';
  const fallback = (image ?? basename(fromIso ?? 'vm', '.iso')).replace(/^.*\//, '').replace(/[:@].*$/, '');
  return {
    name: flags.name ?? fallback.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    namespace: flags.namespace,
    root:
      named !== undefined
        ? { kind: 'upload' }
        : image !== undefined
          ? { kind: 'registry', image }
          : { kind: 'blank' },
    preference,
    user: flags.user ?? named?.user ?? 'user',
    sshKeys: publicKey === undefined ? [] : [publicKey],
    cpu: flags.cpu,
    memory: flags.memory ?? named?.memory ?? '2Gi',
    disk: flags.disk ?? named?.disk ?? '10Gi',
    ports: flags.port,
    volumes: flags.volume,
    ...(fromIso === undefined ? {} : { isoBytes: statSync(fromIso).size }),
  };
}

/** The image as a file: what the distribution publishes, or, where nobody answers, what can be built here. */
async function imageFile(root: string, image: NamedImage, paths: InstancePaths): Promise<string> {
  const progress = new Progress({ what: 'download', mode: 'auto', out: process.stderr, now: Date.now });
  const onProgress = (done: number, total: number | undefined): void => progress.at(done, total);
  try {
    console.log(`fetching ${image.url}`);
    const { path, believed } = await downloadImage(image, join(paths.home, 'downloads'), fetch, onProgress);
    console.log(believed);
    return path;
  } catch (error) {
    if (!(error instanceof NoInternet)) throw error;
    if (image.buildsFrom === undefined) throw withWayOut(error, image);
    return await builtImage(root, image.buildsFrom);
  }
}

function withWayOut(error: NoInternet, { name }: NamedImage): Error {
  const here = NAMED_IMAGES.filter(({ buildsFrom }) => buildsFrom !== undefined).map((one) => one.name);
  return new Error(
    `${name} comes from the internet, and ${error.message}. Without internet: podvisor run ${here.join(', ')} (built here), or a machine from a disk that you have: virtctl import FILE`,
    { cause: error.cause },
  );
}

/** Once for each state of its sources. */
async function builtImage(root: string, folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of [...entriesBelow(join(root, 'images', folder))]
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted())
    hash.update(path.slice(root.length)).update(readFileSync(path));
  const target = join(root, `build/images/${folder}-${hash.digest('hex').slice(0, 12)}.qcow2`);
  if (existsSync(target)) return target;
  console.log(`no internet: building ${folder} from Debian's packages (once, some minutes)`);
  await run('mmdebstrap', ['--version']).catch(async () => {
    const install = ['install', '-q', '-y', '--no-install-recommends', 'mmdebstrap', 'e2fsprogs'];
    await run('apt-get', install, { timeoutMs: BUILD_MS });
  });
  const build = [join(root, 'images', folder, 'build.ts'), target];
  await whileTelling(`building ${folder}`, run(process.execPath, build, { timeoutMs: BUILD_MS }));
  return target;
}

async function upload(
  paths: InstancePaths,
  { namespace }: RunRequest,
  volume: string,
  file: string,
): Promise<void> {
  const shell = { ...processShell(), env: { ...process.env, KUBECONFIG: paths.kubeconfig } };
  const words = ['image-upload', 'dv', volume, '--no-create', '--image-path', file, '-n', namespace];
  await buildProgram(shell).parseAsync(words, { from: 'user' });
}

interface SshKey {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** The user's own key, or one that the home keeps for its VMs. */
async function sshKey(given: string | undefined, paths: InstancePaths, isDry: boolean): Promise<SshKey> {
  const own = homeKey(paths.home);
  const file = given ?? usualPublicKeys(homedir()).find((path) => existsSync(path)) ?? `${own}.pub`;
  if (file === `${own}.pub` && !existsSync(file)) {
    if (isDry) return { privateKey: own, publicKey: 'ssh-ed25519 (a key that the home makes)' };
    mkdirSync(join(paths.home, 'ssh'), { recursive: true, mode: 0o700 });
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'podvisor run', '-f', own]);
  }
  if (!existsSync(file)) throw new Error(`--ssh-key: there is no file ${file}`);
  const publicKey = readFileSync(file, 'utf8').trim();
  if (!/^(ssh|ecdsa|sk-)\S* \S+/.test(publicKey) || publicKey.includes('\n'))
    throw new Error(`--ssh-key ${file} is not a public key: give the file that ends with .pub`);
  return { privateKey: file.replace(/\.pub$/, ''), publicKey };
}

async function tellAddresses(client: KubeClient, { name, namespace, ports }: RunRequest): Promise<void> {
  if (ports.length === 0) return;
  const found = (await client.get(resources.services, { name, namespace })) as {
    readonly spec?: { readonly ports?: readonly { readonly port: number; readonly nodePort?: number }[] };
    readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string }[] } };
  };
  const ip = found.status?.loadBalancer?.ingress?.[0]?.ip ?? '(no address yet)';
  for (const { port, nodePort } of found.spec?.ports ?? [])
    console.log(`port ${port}: ${ip}:${port}, on this machine also 127.0.0.1:${nodePort ?? '?'}`);
}

/** Tries until the guest's SSH server takes the key; then a shell, or the command, with its exit code. */
async function signIn(
  root: string,
  paths: InstancePaths,
  { name, namespace, user }: RunRequest,
  { privateKey }: SshKey,
  command: readonly string[],
  detach: boolean,
): Promise<void> {
  mkdirSync(join(paths.home, 'ssh'), { recursive: true, mode: 0o700 });
  const options = [
    ...['-i', privateKey, '--known-hosts', join(paths.home, 'ssh', 'known_hosts')],
    ...['-t', '-oStrictHostKeyChecking=accept-new', '-t', '-oConnectTimeout=10', '-t', '-oLogLevel=ERROR'],
  ];
  const target = `${user}@vm/${name}/${namespace}`;
  const virtctl = join(root, 'bin/virtctl');
  const words = ['ssh', target, '--kubeconfig', paths.kubeconfig, ...options];
  console.log(`signing in as ${user} (${options.slice(0, 2).join(' ')})`);
  const takesKey = (): Promise<boolean> =>
    run(virtctl, [...words, '-c', 'true'], { timeoutMs: TRY_MS }).then(
      () => true,
      () => false,
    );
  const signedIn = async (): Promise<void> => {
    for (const over = Date.now() + SSH_MS; !(await takesKey()); await sleep(systemClock, PAUSE_MS))
      if (Date.now() > over)
        throw new Error(`the guest runs and takes no SSH after ${SSH_MS / 1000} s: virtctl console ${name}`);
  };
  await whileTelling('waiting for its SSH server, the guest boots', signedIn());
  if (command.length === 0 && (detach || !process.stdin.isTTY)) {
    console.log(`READY: bin/virtctl ${words.slice(0, -6).join(' ')}`);
    return;
  }
  processShell().become(virtctl, [...words, ...(command.length === 0 ? [] : ['-c', command.join(' ')])]);
}
