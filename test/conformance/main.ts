/** `podvisor conformance DIR [-v] [--only RE]`: recorded behaviour against the code, without a cluster. */
import { parseArgs } from 'node:util';
import { assumptions } from './assumptions.ts';
import { mayFail } from './may-fail.ts';
import { fileLines, totalLine } from './report.ts';
import { runConformance } from './run.ts';
import { subjects } from './subjects.ts';

const USAGE = 'usage: podvisor conformance DIR [-v] [--only REGEXP]';

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { verbose: { type: 'boolean', short: 'v', default: false }, only: { type: 'string' } },
  });
  const [directory = process.env['PODVISOR_CONFORMANCE'], ...rest] = positionals;
  if (directory === undefined || rest.length > 0) throw new Error(USAGE);
  const reports = await runConformance({
    directory,
    subjects,
    assumptions,
    mayFail,
    ...(values.only === undefined ? {} : { only: new RegExp(values.only) }),
    onFile: (report) => console.log(fileLines(report, values.verbose).join('\n')),
  });
  console.log(totalLine(reports));
  process.exitCode = reports.every(({ failures }) => failures.length === 0) ? 0 : 1;
} catch (error) {
  console.error(`podvisor: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
