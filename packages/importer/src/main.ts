/** Program of a Pod that fills a claim: reads its job, does it, leaves a word for the Pod's status. */
import { writeFileSync } from 'node:fs';
import { IMPORT_JOB_VARIABLE, type ImportJob } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { Progress } from './progress.ts';
import { runJob } from './run-job.ts';

/** terminationMessagePath: what `status.containerStatuses[].state.terminated.message` shows. */
const LAST_WORDS = '/dev/termination-log';

const ending = new AbortController();
process.once('SIGTERM', () => ending.abort(new Error('the Pod was told to end')));

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const job = JSON.parse(process.env[IMPORT_JOB_VARIABLE] ?? '') as ImportJob;
  await runJob(job, new Progress(say, () => performance.now()), ending.signal);
  end(0, 'Import Complete');
} catch (error) {
  say({ error: messageOf(error) });
  end(1, messageOf(error));
}

function end(code: number, words: string): void {
  writeFileSync(LAST_WORDS, words.slice(0, 4000));
  process.exit(code);
}
