/** Recorded behaviour as tests, one a file. The recordings are where PODVISOR_CONFORMANCE says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumptions } from './assumptions.ts';
import { mayFail } from './may-fail.ts';
import { filesBelow } from './records.ts';
import { fileLines } from './report.ts';
import { runConformance } from './run.ts';
import { subjects } from './subjects.ts';

/** Makes a test of each recorded file that `isWanted`; without recordings, one that is skipped and says so. */
export function recordedTests(isWanted: (file: string) => boolean): void {
  const directory = process.env['PODVISOR_CONFORMANCE'];
  if (directory === undefined) {
    const skip = 'set PODVISOR_CONFORMANCE to the directory of recordings';
    test('recorded behaviour', { skip }, () => undefined);
    return;
  }
  for (const file of filesBelow(directory).filter(isWanted)) {
    const subject = subjects.find(({ files }) => files.test(file));
    if (subject === undefined) continue;
    test(`recorded behaviour: ${file}`, async () => {
      const only = new RegExp(`^${file.replaceAll('.', '\\.')}$`);
      const [report] = await runConformance({ directory, subjects: [subject], assumptions, mayFail, only });
      assert.ok(report);
      assert.equal(report.failures.length, 0, fileLines(report, true).join('\n'));
    });
  }
}
