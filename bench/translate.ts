/**
 * How long the two translations take: VMI → domain XML and VMI → launcher Pod, for the typical VMIs of the golden
 * files. Prints the median and the 99th percentile of each; the bar is 2 ms for a typical VMI.
 */
import { clusterConfig } from '@podvisor/api';
import { convertVmiToDomain, domainToXml, renderLauncherPod } from '@podvisor/translate';
import { typicalVmis } from '../packages/translate/src/testing/typical-vmis.ts';

const ROUNDS = 500;
const WARM_UP = 100;
const config = clusterConfig();
const claims = {
  'root-claim': { block: false },
  'block-claim': { block: true },
  'data-claim': { block: true },
};

/** Runs the bench; `args` are not used. */
export async function benchTranslate(_args: readonly string[] = []): Promise<void> {
  console.log('VMI                    domain XML p50 / p99      launcher Pod p50 / p99');
  for (const { name, vmi, context } of typicalVmis) {
    const facts = {
      kvmAvailable: true,
      allowEmulation: false,
      interfaces: [{ name: 'default' }],
      ...context,
    };
    const domain = measure(() => domainToXml(convertVmiToDomain(vmi, facts)));
    const pod = measure(() => renderLauncherPod(vmi, { launcherImage: 'launcher', config, claims }));
    console.log(`${name.padEnd(22)} ${domain.padEnd(25)} ${pod}`);
  }
}

function measure(work: () => unknown): string {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const start = performance.now();
    work();
    if (round >= WARM_UP) times.push(performance.now() - start);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(3);
  return `${at(0.5)} / ${at(0.99)} ms`;
}

if (import.meta.main) await benchTranslate();
