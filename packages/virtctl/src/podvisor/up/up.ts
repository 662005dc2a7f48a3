/** `podvisor up [MANIFEST]`: the embedded home is up; with a manifest, its VMs run. */
import { existsSync, mkdirSync } from 'node:fs';
import type { KubernetesObject } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { KubeClient } from '@podvisor/kube';
import {
  defaultHome,
  type InstanceConfig,
  type InstancePaths,
  instancePaths,
  nodeFault,
  readInstanceConfig,
  readPidFile,
  run,
  startProcess,
} from '@podvisor/sys';
import pc from 'picocolors';
import { endProcess } from '../supervisor/end-process.ts';
import { awaitGuests, followVms } from './follow.ts';
import { assertFree } from '../home/free-resources.ts';
import { mendHomeModes } from '../home/home-modes.ts';
import { installLib } from '../home/install-lib.ts';
import {
  DEFAULT_FLAGS,
  type InstanceFlags,
  planInstance,
  podCidrFlag,
  withLauncherImage,
} from '../home/instance-plan.ts';
import { ensureLocalImages, HELLO, imagesOf } from '../images/local-images.ts';
import { freeForHome, machineLine, tightDisk } from '../home/machine-facts.ts';
import { inWords } from '../../output/told-error.ts';
import { tellWhenInterrupted } from './interrupted.ts';
import { applyObject, type ManifestObject, readManifest } from './manifests.ts';
import { wantedProcesses } from '../monitoring/processes.ts';
import { partsOf } from './readiness.ts';
import { failRepeatedly } from '../supervisor/repeated-failure.ts';
import { forgetFormerNodes, resize, writeConfig } from '../home/resize.ts';
import { isService, machineSystemd, refreshService, unitName } from '../service.ts';
import { prepareCommand, supervisorCommand } from '../supervisor/supervisor-command.ts';
import { colouredLines } from '../../output/plain-text.ts';

export interface UpFlags extends Partial<InstanceFlags> {
  readonly timeoutSeconds: number;
  /** Wait until the guests are up, not only until their VMs run. */
  readonly wait: boolean;
  /** Image that VMs run from; `embedded`: programs of the machine; absent: as it was. */
  readonly launcherImage?: string;
}

export async function up(root: string, manifest: string | undefined, flags: UpFlags): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error('podvisor up needs root: it makes namespaces, bridges and mounts. Run it with sudo');
  const startedAt = Date.now();
  // A broken manifest is told before anything is started.
  const objects = manifest === undefined ? [] : readManifest(manifest);
  const paths = instancePaths(defaultHome());
  const signal = AbortSignal.timeout(flags.timeoutSeconds * 1000);
  console.log(`Podvisor: ${machineLine()}`);
  const tight = tightDisk(freeForHome(paths.home));
  if (tight !== undefined) console.log(pc.yellow(tight));
  const { config, changed } = await ensureConfig(paths, flags);
  const mended = mendHomeModes(paths);
  if (mended !== undefined) console.log(pc.yellow(mended));
  tellWhenInterrupted();
  await ensureRunning(root, paths, config, changed);
  // Made while the processes start: nothing of theirs is needed for it.
  const images =
    manifest !== undefined
      ? localImages(root, paths, objects)
      : config.bare === true
        ? undefined
        : exampleImage(root, paths);
  images?.catch(() => undefined); // told after the home is up, where it is awaited
  await awaitReady(paths, config, startedAt, signal);
  await images;
  for (const name of await forgetFormerNodes(paths, config, signal)) console.log(`${name} is removed`);
  const signs =
    manifest === undefined ? [] : await applyManifest(paths, manifest, objects, flags.wait, signal);
  for (const sign of signs) console.log(sign);
  console.log(readyLine(paths, config, objects, Date.now() - startedAt));
}

/** The images of a manifest that this repository builds. */
async function localImages(
  root: string,
  paths: InstancePaths,
  objects: readonly ManifestObject[],
): Promise<void> {
  const say = (text: string): void => console.log(pc.dim(text));
  await ensureLocalImages(imagesOf(objects.map(({ object }) => object)), root, paths, say);
}

/** The image of examples/hello.yaml, for who applies it next. A home is as good without it, so that nothing fails. */
async function exampleImage(root: string, paths: InstancePaths): Promise<void> {
  const say = (text: string): void => console.log(pc.dim(text));
  await ensureLocalImages(new Set([HELLO]), root, paths, say).catch((error: unknown) =>
    console.log(
      pc.yellow(`${HELLO} is not there (${inWords(messageOf(error))}); again: ./podvisor image build hello`),
    ),
  );
}

/** The instance as it was set up; set up now if it is new, with more or fewer nodes if that is wanted. */
async function ensureConfig(
  paths: InstancePaths,
  flags: UpFlags,
): Promise<{ readonly config: InstanceConfig; readonly changed: boolean }> {
  const wanted = planInstance(paths.home, { ...DEFAULT_FLAGS, ...definedOf(flags) });
  if (!existsSync(paths.config)) {
    // A home remembers its ports and its network: none is made with what it cannot have.
    await assertFree(wanted);
    mkdirSync(paths.home, { recursive: true, mode: 0o700 });
    const config = withLauncherImage(wanted, flags.launcherImage);
    writeConfig(paths, config);
    return { config, changed: true };
  }
  const config = readInstanceConfig(paths.home);
  const given = { apiPort: config.apiPort, podCidr: podCidrFlag(config) };
  for (const key of ['apiPort', 'podCidr'] as const)
    if (flags[key] !== undefined && flags[key] !== given[key])
      throw new Error(
        `this home was set up with ${key} ${given[key]}; \`podvisor down --purge\` first, or use another PODVISOR_HOME`,
      );
  if (flags.bare === true && config.bare !== true)
    throw new Error(
      'this home was set up with all that runs VMs; `podvisor down --purge` first, or use another PODVISOR_HOME',
    );
  const resized =
    flags.nodes === undefined || flags.nodes === config.nodes.length
      ? config
      : await resize(paths, config, flags.nodes);
  const final = withLauncherImage(resized, flags.launcherImage);
  if (final !== resized) writeConfig(paths, final);
  return { config: final, changed: final !== config };
}

function definedOf(flags: UpFlags): Partial<InstanceFlags> {
  const { apiPort, podCidr, nodes, bare } = flags;
  return Object.fromEntries(
    Object.entries({ apiPort, podCidr, nodes, bare }).filter(([, value]) => value !== undefined),
  );
}

/** A supervisor runs, with the programs of this checkout. VMs do not notice when it is replaced. */
async function ensureRunning(
  root: string,
  paths: InstancePaths,
  config: InstanceConfig,
  configChanged: boolean,
): Promise<void> {
  const programsChanged = installLib(root, paths.lib);
  const pid = readPidFile(`${paths.run}/supervisor.pid`);
  if (pid !== undefined && !programsChanged && !configChanged) return;
  if (pid !== undefined) {
    console.log(
      `The ${programsChanged ? 'programs' : 'settings'} changed: restarting all processes (VMs keep running)`,
    );
    await endProcess(pid, 15_000);
  } else {
    const left = leftBehind(paths, config);
    if (left.length === 0) await assertFree(config);
    else console.log('The supervisor is gone: restarting the processes that it left (VMs keep running)');
    await Promise.all(left.map((one) => endProcess(one, 15_000)));
  }
  for (const dir of [paths.logs, paths.run]) mkdirSync(dir, { recursive: true, mode: 0o700 });
  await startSupervisor(paths);
}

/** By systemd where it keeps this home, else detached from this terminal. */
async function startSupervisor(paths: InstancePaths): Promise<void> {
  if (isService(paths.home)) {
    await refreshService(paths.home);
    await machineSystemd().systemctl('restart', unitName(paths.home));
    return;
  }
  await prepare(paths);
  const { program, args, env } = supervisorCommand(paths);
  const logFile = `${paths.logs}/supervisor.log`;
  await startProcess(program, args, { detached: true, logFile, cwd: '/', env });
}

/** More than its slowest step may take. */
const PREPARE_MS = 180_000;

/** As systemd does before it starts the unit. What does not work is told, and the home starts without it. */
async function prepare(paths: InstancePaths): Promise<void> {
  const [program, ...args] = prepareCommand(paths);
  const said = await run(program, args, { timeoutMs: PREPARE_MS }).then(
    ({ stdout }) => stdout.trim(),
    messageOf,
  );
  if (said !== '') console.log(pc.yellow(said));
}

/** What a supervisor that was killed has left: they hold the home's ports, and nobody starts them again. */
function leftBehind(paths: InstancePaths, config: InstanceConfig): readonly number[] {
  return wantedProcesses(config, paths).flatMap(({ name }) => readPidFile(`${paths.run}/${name}.pid`) ?? []);
}

/** Waits for all parts, unless one of them cannot start: then that is the error. */
async function awaitReady(
  paths: InstancePaths,
  config: InstanceConfig,
  startedAt: number,
  signal: AbortSignal,
): Promise<void> {
  const [ready, failed] = [new AbortController(), new AbortController()];
  const watching = failRepeatedly(paths.logs, startedAt, ready.signal).catch((error: unknown) =>
    failed.abort(error),
  );
  try {
    await awaitParts(paths, config, AbortSignal.any([signal, failed.signal]));
  } catch (error) {
    throw failed.signal.aborted ? failed.signal.reason : error;
  } finally {
    ready.abort();
    await watching;
  }
}

async function awaitParts(paths: InstancePaths, config: InstanceConfig, signal: AbortSignal): Promise<void> {
  const harmed = config.nodes.filter(({ name }) => nodeFault(paths, name) !== undefined);
  const parts = partsOf(
    paths.kubeconfig,
    config.nodes.filter((node) => !harmed.includes(node)).map((node) => node.name),
    config.bare === true,
  );
  let number = 0;
  for (const part of parts) {
    number += 1;
    try {
      await part.wait(signal);
    } catch (error) {
      throw new Error(
        `${part.name} did not become ready; its log: ${paths.logs}/${part.name.split(' ')[0]}*.log`,
        { cause: error },
      );
    }
    console.log(`[${number}/${parts.length}] ${part.name}: ${part.sight}`);
  }
  for (const { name } of harmed)
    console.log(pc.yellow(`${name} was cut or killed and stays so; undo with: podvisor node heal ${name}`));
}

async function applyManifest(
  paths: InstancePaths,
  manifest: string,
  objects: readonly ManifestObject[],
  wait: boolean,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const client = KubeClient.fromKubeconfig(paths.kubeconfig, 'podvisor');
  const stored: KubernetesObject[] = [];
  for (const one of objects) {
    const applied = await applyObject(client, one);
    stored.push(applied);
    console.log(
      `applied ${one.object.kind} ${applied.metadata?.namespace ?? ''}/${applied.metadata?.name ?? ''} from ${manifest}`,
    );
  }
  const target = { client, say: (line: string) => console.log(colouredLines(line)) };
  await followVms(target, stored, signal);
  return wait ? await awaitGuests(target, stored, signal) : [];
}

function readyLine(
  paths: InstancePaths,
  config: InstanceConfig,
  objects: readonly ManifestObject[],
  tookMs: number,
): string {
  const vm = objects.find(
    ({ object: { kind } }) => kind === 'VirtualMachine' || kind === 'VirtualMachineInstance',
  )?.object.metadata?.name;
  const isInstalledElsewhere = config.bare === true && vm === undefined;
  const next = [
    `export KUBECONFIG=${paths.kubeconfig}`,
    ...(isInstalledElsewhere
      ? [`./podvisor cluster install --kubeconfig ${paths.kubeconfig}`]
      : [
          'kubectl get vm,vmi,pods -o wide',
          vm === undefined ? './podvisor up examples/hello.yaml' : `./bin/virtctl console ${vm}`,
        ]),
    './podvisor down',
  ];
  return `${pc.green('READY')} after ${(tookMs / 1000).toFixed(1)} s. Next: ${next.join(' ; ')}`;
}
