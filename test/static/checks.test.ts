/** The checks that need no code to run: types, layers, lint, format, generated files, dead code. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

const CHECKS: readonly (readonly [name: string, command: string, args: readonly string[]])[] = [
  ['types fit (tsc -b)', 'node_modules/.bin/tsc', ['-b']],
  ['layers are kept', process.execPath, ['scripts/check-layers.ts']],
  ['lint finds no error', 'node_modules/.bin/oxlint', ['--quiet']],
  ['generated schemas are up to date', process.execPath, ['scripts/generate-crds.ts', '--check']],
  ['generated messages are up to date', process.execPath, ['scripts/generate-messages.ts', '--check']],
  [
    'types made from the description of built-in kinds are up to date',
    process.execPath,
    ['scripts/generate-kubernetes-types.ts', '--check'],
  ],
  ['deploy/ is up to date', process.execPath, ['scripts/generate-deploy.ts', '--check']],
  ['docs/rules.md is up to date', process.execPath, ['scripts/generate-rules.ts', '--check']],
  [
    'monitoring/ and docs/runbooks are up to date',
    process.execPath,
    ['scripts/generate-monitoring.ts', '--check'],
  ],
  [
    'no file, export or dependency is dead (knip)',
    'node_modules/.bin/knip',
    ['--no-progress', '--no-config-hints'],
  ],
  ['code is formatted', 'node_modules/.bin/biome', ['format', '.']],
];

for (const [name, command, args] of CHECKS) {
  test(name, () => {
    try {
      execFileSync(command, args, {
        cwd: root,
        encoding: 'utf8',
        stdio: 'pipe',
        env: { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` },
      });
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`.slice(0, 8000));
    }
  });
}
