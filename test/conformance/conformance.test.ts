/** Recorded behaviour, one test a file. The recordings are where PODVISOR_CONFORMANCE says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exceptions } from './exceptions.ts';
import { filesBelow } from './records.ts';
import { fileLines } from './report.ts';
import { runConformance } from './run.ts';
import { subjects } from './subjects.ts';

const directory = process.env['PODVISOR_CONFORMANCE'];

test('exceptions are few and each has a reason', () => {
  assert.ok(exceptions.length <= 10, `${exceptions.length} exceptions`);
  assert.ok(exceptions.every(({ reason }) => reason.length > 10));
});

if (directory === undefined) {
  test('recorded behaviour', { skip: 'set PODVISOR_CONFORMANCE to the directory of recordings' }, () => undefined);
} else {
  for (const file of filesBelow(directory)) {
    const subject = subjects.find(({ files }) => files.test(file));
    if (subject === undefined) continue;
    const skip = subject.notBuilt === undefined ? false : `not built yet: ${subject.notBuilt}`;
    test(`recorded behaviour: ${file}`, { skip }, async () => {
      const only = new RegExp(`^${file.replaceAll('.', '\\.')}$`);
      const [report] = await runConformance({ directory, subjects: [subject], exceptions, only });
      assert.ok(report);
      assert.equal(report.failures.length, 0, fileLines(report, true).join('\n'));
    });
  }
}
