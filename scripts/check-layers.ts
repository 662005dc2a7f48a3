/**
 * Keeps the rooms apart: a package imports only what its tsconfig references allow (the compiler checks
 * that), pure packages import nothing of Node, and only `sys` starts processes or calls foreign code. Folders of
 * some packages have directions too (package-folders.ts).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderProblems } from './package-folders.ts';

const root = new URL('../packages/', import.meta.url).pathname;
const PURE = new Set(['base', 'api', 'translate']);
const ORDER = [
  'base',
  'api',
  'translate',
  'sys',
  'kube',
  'libvirt',
  'network',
  'storage',
  'data-volumes',
  'virt-operator',
  // The embedded home: what it consists of, and `cluster`, which puts it together.
  'store',
  'home-contract',
  'apiserver',
  'service-network',
  'scheduler',
  'workload-controllers',
  'kubelet',
  'cluster',
  'virt-api',
  'virt-controller',
  'virt-handler',
  'virt-launcher',
  'importer',
  'virtctl',
  'console',
];
const COMPONENTS = new Set(ORDER.slice(ORDER.indexOf('cluster')));
/** Node's recursive `readdir` follows symbolic links out of a tree and in circles. */
const FOLLOWS_LINKS = /\breaddir(?:Sync)?\((?:[^()]|\([^()]*\))*recursive: true/;
const problems: string[] = [];

for (const name of ORDER) {
  for (const entry of readdirSync(join(root, name, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const path = join(entry.parentPath, entry.name);
    const isTest = entry.name.endsWith('.test.ts') || path.includes('/testing/');
    if (path.includes('/gen/')) continue;
    const text = readFileSync(path, 'utf8');
    checkImports(name, path, text, isTest);
    if (!isTest && FOLLOWS_LINKS.test(text))
      problems.push(`${path.slice(root.length)}: a recursive readdir follows links; use entriesBelow of sys`);
  }
}

function checkImports(name: string, path: string, text: string, isTest: boolean): void {
  for (const [, source = ''] of text.matchAll(
    /^(?:import|export)\b[^;]*?from '([^']+)';|^import '([^']+)';/gm,
  )) {
    const where = `${path.slice(root.length)}: imports ${source}`;
    if (source.startsWith('@podvisor/')) {
      const other = source.slice('@podvisor/'.length);
      if (other.includes('/')) problems.push(`${where}: only the package's index is public`);
      else if (ORDER.indexOf(other) >= ORDER.indexOf(name))
        problems.push(`${where}: that room is not above ${name}`);
      else if (COMPONENTS.has(other)) problems.push(`${where}: components never import each other`);
    }
    if (isTest) continue;
    if (source.startsWith('.') && !join(path, '..', source).startsWith(join(root, name, 'src/')))
      problems.push(`${where}: only tests reach into another package`);
    if (PURE.has(name) && source.startsWith('node:')) problems.push(`${where}: ${name} is pure`);
    if (name !== 'sys' && (source === 'node:child_process' || source === 'koffi'))
      problems.push(`${where}: only sys runs tools or foreign code`);
  }
}

problems.push(...folderProblems(root));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
