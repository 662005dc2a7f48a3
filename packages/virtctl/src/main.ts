/** virtctl: the commands of a VM's daily life. Also `kubectl virt`, when it is installed under that name. */
import { basename } from 'node:path';
import { processShell } from './process-shell.ts';
import { buildProgram } from './program.ts';
import { runProgram } from './run-program.ts';

const shell = processShell();
const called = basename(process.argv[1] ?? '');
const program = buildProgram(shell, called.startsWith('kubectl-') ? 'kubectl virt' : 'virtctl');
const code = await runProgram(program, process.argv.slice(2), shell);
// Keep-alive connections would hold the process for seconds after the work is done.
process.exit(code);
