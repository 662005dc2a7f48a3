/**
 * ask-node: what libvirt and QEMU of the launcher's image can on this node. It runs in that image before virt-handler
 * does, whose own has neither, and leaves the answer for it, and libvirt's cache for launchers, which is right for
 * them because they are of the same image.
 *
 * A node that cannot answer must not be without virt-handler: guests run there that need it. So failing is an answer,
 * too, after some tries.
 *
 *   ask-node --answer FILE --capabilities-cache-dir DIR
 */
import { parseArgs } from 'node:util';
import { backoffMs, messageOf, sleep, systemClock } from '@podvisor/base';
import { kvmFacts } from '@podvisor/sys';
import { probeLibvirt, type ProbeResult } from './libvirt-probe.ts';
import { writeAnswer } from './node-answer.ts';

const TRIES = 3;
const TRY_MS = 30_000;

const { values } = parseArgs({
  options: { answer: { type: 'string' }, 'capabilities-cache-dir': { type: 'string' } },
});
const { answer: file, 'capabilities-cache-dir': cacheDir } = values;
if (file === undefined || cacheDir === undefined) {
  console.error('ask-node needs --answer and --capabilities-cache-dir');
  process.exit(2);
}
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
writeAnswer(file, await ask(cacheDir));

async function ask(cache: string): Promise<ProbeResult | { readonly failure: string }> {
  for (let tries = 1; ; tries += 1) {
    try {
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(TRY_MS)]);
      return await probeLibvirt({ kvmUsable: kvmFacts().usable, cacheDir: cache }, signal);
    } catch (error) {
      const failure = messageOf(error);
      console.error(`libvirt could not be asked: ${failure}`);
      if (stop.signal.aborted) process.exit(1);
      if (tries >= TRIES) return { failure };
      await sleep(systemClock, backoffMs(tries, { firstMs: 1_000, maxMs: 5_000 }), stop.signal);
    }
  }
}
