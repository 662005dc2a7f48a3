/**
 * A cluster that somebody else made, with Podvisor installed, used like a home: `up` applies manifests, `purge` removes
 * what the file has made and puts the KubeVirt object back. What only the embedded home has (processes, ports) is an
 * error here.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeVirt, VirtualMachine } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { readManifest } from '../../packages/virtctl/src/podvisor/up/manifests.ts';
import { buildIfStale, type CommandResult, Instance } from './instance.ts';

const KUBEVIRT = { namespace: 'kubevirt', name: 'kubevirt' };
/** Kinds that tests make in their namespace, owners first. */
const KINDS = [
  'virtualmachines,virtualmachineinstances,virtualmachineinstancemigrations,virtualmachineinstancereplicasets',
  'virtualmachinesnapshots,virtualmachinerestores,virtualmachineclones,virtualmachineexports',
  'deployments.apps,pods,services,persistentvolumeclaims,configmaps,secrets',
].join(',');

export class ForeignCluster extends Instance {
  #before: ReadonlySet<string> = new Set();
  #spec: KubeVirt['spec'] | undefined;

  private constructor(directory: string) {
    super(directory, 0, 0);
  }

  static async open(kubeconfig: string): Promise<ForeignCluster> {
    await buildIfStale();
    const directory = mkdtempSync('/var/tmp/podvisor-test-');
    copyFileSync(kubeconfig, join(directory, 'kubeconfig'));
    const cluster = new ForeignCluster(directory);
    cluster.#before = new Set(await cluster.#names());
    cluster.#spec = (await cluster.client.get(resources.kubeVirts, KUBEVIRT)).spec;
    return cluster;
  }

  override get name(): never {
    throw new Error('a cluster of somebody else has no name on this machine: the test needs embeddedOnly');
  }

  override pidOf(): never {
    throw new Error('components of this cluster are Pods: the test needs embeddedOnly');
  }

  /** Manifests are applied; unless `--no-wait` is given, VMs that should run are waited for. Other flags are the embedded home's. */
  override async up(...args: string[]): Promise<CommandResult> {
    const objects = args
      .filter((arg) => /\.(ya?ml|json)$/.test(arg))
      .flatMap((file) => readManifest(file).map(({ object }) => object));
    const settings = objects.filter(({ kind }) => kind === 'KubeVirt') as KubeVirt[];
    for (const { spec } of settings) await this.#configure(spec);
    const others = objects.filter(({ kind }) => kind !== 'KubeVirt');
    if (others.length === 0) return { code: 0, stdout: '', stderr: '' };
    const file = join(this.home, 'apply.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: others }));
    const applied = await this.kubectl('apply', '-f', file);
    const machines = (others as VirtualMachine[]).filter(
      ({ kind, spec }) => kind === 'VirtualMachine' && spec.runStrategy === 'Always',
    );
    if (applied.code !== 0 || args.includes('--no-wait') || machines.length === 0) return applied;
    const names = machines.map(({ metadata }) => `vm/${metadata?.name}`);
    return this.kubectl('wait', '--for=condition=Ready', '--timeout=55s', ...names);
  }

  /** All Pods of a component, at once and without grace. */
  override async kill(component: string): Promise<void> {
    const selector = ['-n', KUBEVIRT.namespace, '-l', `kubevirt.io=${component}`];
    const { code, stderr } = await this.kubectl('delete', 'pods', ...selector, '--grace-period=0', '--force');
    assert.equal(code, 0, stderr);
  }

  override async purge(): Promise<void> {
    const made = (await this.#names()).filter((name) => !this.#before.has(name));
    // To the end: a file that is run once more would take what is still going for somebody else's.
    if (made.length > 0) await this.kubectl('delete', '--timeout=50s', '--ignore-not-found', ...made);
    if (this.#spec !== undefined)
      await this.client.patch(resources.kubeVirts, KUBEVIRT, {
        type: 'json',
        body: [{ op: 'replace', path: '/spec', value: this.#spec }],
      });
    rmSync(this.home, { recursive: true, force: true });
  }

  async #names(): Promise<readonly string[]> {
    const { code, stdout, stderr } = await this.kubectl('get', KINDS, '-n', 'default', '-o', 'name');
    assert.equal(code, 0, stderr);
    // Where nobody serves these kinds there are none.
    const ofCdi = await this.kubectl('get', 'datavolumes,datasources', '-n', 'default', '-o', 'name');
    return `${ofCdi.stdout}\n${stdout}`.split('\n').filter((line) => line !== '');
  }

  /** Adds to what the administrator has set; gates of the cluster stay. */
  async #configure(spec: KubeVirt['spec']): Promise<void> {
    const now = await this.client.get(resources.kubeVirts, KUBEVIRT);
    const gatesOf = (of: KubeVirt['spec']): readonly string[] =>
      of?.configuration?.developerConfiguration?.featureGates ?? [];
    const featureGates = [...new Set([...gatesOf(now.spec), ...gatesOf(spec)])];
    const developerConfiguration = { ...spec?.configuration?.developerConfiguration, featureGates };
    const configuration = { ...spec?.configuration, developerConfiguration };
    const body = { spec: { ...spec, configuration } };
    await this.client.patch(resources.kubeVirts, KUBEVIRT, { type: 'merge', body });
  }
}
