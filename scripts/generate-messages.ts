/**
 * Writes packages/api/src/gen/*.ts and gen/messages from packages/api/proto with buf. `--check` writes nothing and
 * fails when a file is not up to date.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const TEMPLATES = ['buf.gen.yaml', 'buf.gen.messages.yaml'];

const fresh = mkdtempSync(join(tmpdir(), 'podvisor-messages-'));
try {
  for (const template of TEMPLATES)
    execFileSync(join(root, 'node_modules/.bin/buf'), ['generate', '--template', template, '-o', fresh], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  if (process.argv.includes('--check')) check();
  else cpSync(fresh, root, { recursive: true });
} finally {
  rmSync(fresh, { recursive: true });
}

function check(): void {
  for (const entry of readdirSync(fresh, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const file = relative(fresh, path);
    const stored = join(root, file);
    if (statSync(stored, { throwIfNoEntry: false }) && readFileSync(stored).equals(readFileSync(path)))
      continue;
    console.error(`${file} is out of date: run node scripts/generate-messages.ts`);
    process.exitCode = 1;
  }
}
