/**
 * From a command to a machine that can be used, without internet: `podvisor run debian` (a distribution built from
 * Debian's packages, uploaded to a disk of its own, signed in over SSH) beside `podvisor up examples/hello.yaml` (the
 * smallest guest, up when its agent answers). In one home, in turns; the first of each, which starts the home and builds
 * images where they are not built yet, is told apart.
 */
import { resources } from '@podvisor/kube';
import { eventually } from '../test/support/eventually.ts';
import { type CommandResult, Instance, root } from '../test/support/instance.ts';
import { median, timed, told } from './hibernation.ts';

const DEFAULT_RUNS = 3;
/** Packages are fetched and an image is built the first time. */
const LIMIT_MS = 1_800_000;

export async function benchRunDebian(args: readonly string[]): Promise<void> {
  const runs = Number(args[args.indexOf('--runs') + 1]) || DEFAULT_RUNS;
  const instance = await Instance.prepare();
  const hello = (): Promise<number> =>
    take(instance, 'hello', () => instance.up(`${root}/examples/hello.yaml`));
  const debian = (name: string): Promise<number> =>
    take(instance, name, () => instance.podvisor(['run', 'debian', '--name', name, '--', 'true'], LIMIT_MS));
  try {
    const first = [await hello(), await debian('first')].map((ms) => (ms / 1000).toFixed(0));
    console.log(`the first time, home and images included: hello ${first[0]} s, debian ${first[1]} s`);
    const hellos: number[] = [];
    const debians: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      hellos.push(await hello());
      debians.push(await debian(`debian-${run}`));
    }
    console.log(
      `run debian → a command ran in the guest: ${told(debians)} = ${(median(debians) / median(hellos)).toFixed(2)} × up hello.yaml → its agent answers (${told(hellos)})`,
    );
  } finally {
    await instance.purge();
  }
}

/** Milliseconds of the command; the VM is gone afterwards. */
async function take(instance: Instance, name: string, type: () => Promise<CommandResult>): Promise<number> {
  const ms = await timed(async () => {
    const { code, stdout, stderr } = await type();
    if (code !== 0) throw new Error(`${stdout}${stderr}`);
  });
  const key = { namespace: 'default', name };
  await instance.client.delete(resources.virtualMachines, key);
  await eventually(`${name} is gone`, 120_000, async () =>
    (await instance.client.find(resources.virtualMachines, key)) === undefined ? true : undefined,
  );
  return ms;
}
