/** Answers what it is told to: for tests of processes that answer questions. */
import { serveQuestions } from '../processes/worker-process.ts';

serveQuestions((question) => {
  const { say, fail, hang } = question as { say?: unknown; fail?: string; hang?: true };
  if (fail !== undefined) throw new Error(fail);
  // As a call that does not come back from the kernel.
  if (hang === true) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return say;
});
